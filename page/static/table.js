// @ts-check
// A table as the source of an explorer's frames, where no kernel runs: tables.py says what it
// holds. A question that no frame answers gets the nearest one.

const FAR = 1e9;
const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The place of the stop nearest to a value. */
function nearest(stops, value, log) {
  const far = (stop) => Math.abs(log ? Math.log(stop / value) : Number(stop) - Number(value));
  return stops.reduce((best, stop, i) => (far(stop) < far(stops[best]) ? i : best), 0);
}

/** The source of a table; below: the address of the picture that stays. */
export function fromTable(data, below) {
  const { axes, at, strings, moves } = data;
  const count = data.words.length;
  const logs = Object.fromEntries(data.start.controls.map(({ name, log }) => [name, log]));
  const parsed = new Map();
  const value = (number) => {
    if (!parsed.has(number)) parsed.set(number, JSON.parse(strings[number]));
    return parsed.get(number);
  };
  const text = (column, frame) => strings[Array.isArray(column) ? column[frame] : column];
  let shown = data.first;
  let recent = axes.map((_, axis) => axis); // the axis that was moved last stands last

  const paramsOf = (frame) => {
    const params = {};
    axes.forEach(({ name, index, stops }, axis) => {
      const stop = stops[at[axis][frame]];
      if (index === undefined) params[name] = stop;
      else (params[name] ??= []).push(stop);
    });
    return params;
  };

  const frameAt = (frame) => ({
    number: frame + 1,
    mode: "table",
    params: paramsOf(frame),
    panes: [
      {
        kind: "one",
        size: data.size,
        below,
        parts: data.parts.map((column) => text(column, frame)),
        alt: text(data.alt, frame),
        places: Object.fromEntries(
          Object.entries(data.places).map(([name, all]) => [name, all[frame].map(value)]),
        ),
      },
    ],
    words: text(data.words, frame),
    reached: Boolean(data.reached[frame]),
    numbers: data.numbers[frame].map(value),
  });

  /** How far a frame is from what is wanted; an axis weighs more the later it was moved. */
  function cost(frame, wanted, but = []) {
    let sum = 0;
    for (let rank = 0, weight = 1; rank < recent.length; rank++, weight *= 2) {
      const axis = recent[rank];
      const off = Math.abs(at[axis][frame] - wanted[axis]);
      if (off && !but.includes(axis)) sum += weight * (1 + off / axes[axis].stops.length);
    }
    return sum;
  }

  /** The frame that is nearest to a place of each axis. */
  function closest(wanted) {
    let [best, least] = [shown, Infinity];
    for (let frame = 0; frame < count; frame++) {
      const far = cost(frame, wanted);
      if (far < least) [best, least] = [frame, far];
    }
    return best;
  }

  const touch = (moved) =>
    (recent = [...recent.filter((axis) => !moved.includes(axis)), ...moved]);
  const now = () => at.map((column) => column[shown]);

  /** For each setting of some axes the frame with the rest as it is now, or nearly. */
  function around(moved) {
    const wanted = now();
    const best = new Map();
    for (let frame = 0; frame < count; frame++) {
      const key = moved.map((axis) => at[axis][frame]).join();
      const far = cost(frame, wanted, moved);
      if (!best.has(key) || far < best.get(key)[1]) best.set(key, [frame, far]);
    }
    return [...best.values()].map(([frame]) => frame);
  }

  function set(params) {
    const wanted = axes.map(({ name, index, stops }) =>
      nearest(stops, index === undefined ? params[name] : params[name][index], logs[name]),
    );
    const before = now();
    touch(wanted.flatMap((place, axis) => (place === before[axis] ? [] : [axis])));
    return closest(wanted);
  }

  const placeOf = (frame, handle, which) => value(data.places[handle][frame][which]);

  /** The frame whose handle is nearest to a place. */
  function dragged(handle, which, moved, [x, y]) {
    const far = (frame) => {
      const [right, down] = placeOf(frame, handle, which);
      return Math.hypot(right - x, down - y);
    };
    return around(moved).reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  /** The frame after an arrow key: the next stop, or the next place that way. */
  function stepped(handle, which, moved, key) {
    const [right, down] = DIRECTIONS[key];
    if (moved.length === 1) {
      const [axis] = moved;
      const last = axes[axis].stops.length - 1;
      const wanted = now();
      wanted[axis] = Math.min(Math.max(wanted[axis] + right - down, 0), last);
      return closest(wanted);
    }
    const [x, y] = placeOf(shown, handle, which);
    const far = (frame) => {
      const [to, deep] = placeOf(frame, handle, which);
      const along = (to - x) * right + (deep - y) * down;
      const across = Math.abs((to - x) * down) + Math.abs((deep - y) * right);
      return along > 1 ? along + 3 * across : FAR;
    };
    const best = around(moved).reduce((one, two) => (far(two) < far(one) ? two : one));
    return far(best) < FAR ? best : shown;
  }

  return {
    first: frameAt(data.first),
    async ask({ params, handle, which = 0, at: place, key }) {
      if (!handle) shown = set(params);
      else {
        const moved = moves[handle][which] ?? moves[handle][0];
        touch(moved);
        shown = key ? stepped(handle, which, moved, key) : dragged(handle, which, moved, place);
      }
      return frameAt(shown);
    },
  };
}
