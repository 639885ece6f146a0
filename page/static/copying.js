// @ts-check
// The copying model of chapter 0: its forward pass, line by line that of copying_numpy.py.

/** A row of numbers for each place; x (t, a) times w (a, b). */
function times(x, w, [rows, columns]) {
  return x.map((row) => {
    const out = new Float64Array(columns);
    for (let i = 0; i < rows; i++)
      for (let j = 0, at = i * columns; j < columns; j++, at++) out[j] += row[i] * w[at];
    return out;
  });
}

/** Each row with mean 0 and variance 1, then stretched and moved as learned. */
function normed(x, weight, bias) {
  return x.map((row) => {
    const mean = row.reduce((sum, one) => sum + one, 0) / row.length;
    const centred = row.map((one) => one - mean);
    const variance = centred.reduce((sum, one) => sum + one * one, 0) / row.length;
    return centred.map((one, i) => (one / Math.sqrt(variance + 1e-5)) * weight[i] + bias[i]);
  });
}

function softmax(scores) {
  const top = Math.max(...scores);
  const powers = scores.map((one) => Math.exp(one - top));
  const sum = powers.reduce((total, one) => total + one, 0);
  return powers.map((one) => one / sum);
}

const dot = (a, b, from, to) => {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b[i];
  return sum;
};

/** @type {Record<string, string>} Letters that are none with a mark: NEAREST in copying_text.py. */
const NEAREST = { ı: "i", ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", æ: "a", œ: "o", ß: "s", þ: "t" };

/** The model; told: how its file is read (tools/page/model.py). */
export class Copying {
  constructor(told, buffer) {
    const { parts, ...rest } = told;
    Object.assign(this, rest);
    const numbers = new Float32Array(buffer);
    this.weights = {};
    for (const { name, shape, at } of parts) {
      const size = shape.reduce((product, side) => product * side, 1);
      this.weights[name] = { shape, values: numbers.subarray(at, at + size) };
    }
  }

  /** Numbers of letters as they were typed, read as copying_text.py reads them. */
  fitted(text, count) {
    const signs = [...text.toLowerCase().normalize("NFC")].filter((one) => !/[\u0300-\u036f]/.test(one));
    const nearest = (one) => NEAREST[one] ?? [...one.normalize("NFD")][0];
    const known = signs.map(nearest).map((one) => (this.alphabet.includes(one) ? one : " "));
    const kept = known.slice(Math.max(0, known.length + count - this.length));
    return (kept.length ? kept : [" "]).map((one) => this.alphabet.indexOf(one));
  }

  /** What each place knows behind the last block, and how each head looked: looks[block][head]. */
  states(ids, loudness) {
    const w = (name) => this.weights[name].values;
    const shape = (name) => this.weights[name].shape;
    const width = shape("symbol")[1];
    const row = (name, i) => w(name).subarray(i * width, (i + 1) * width);
    let x = ids.map((id, t) => Float64Array.from(row("symbol", id), (one, i) => one + row("place", t)[i]));
    const looks = [];
    for (let block = 0; block < this.blocks; block++) {
      const name = `blocks.${block}`;
      const y = normed(x, w(`${name}.norm.weight`), w(`${name}.norm.bias`));
      const [q, k, v] = ["q", "k", "v"].map((one) =>
        times(y, w(`${name}.heads.w_${one}`), shape(`${name}.heads.w_${one}`)),
      );
      const d = q[0].length / this.heads;
      const e = v[0].length / this.heads;
      const merged = ids.map(() => new Float64Array(v[0].length));
      looks.push([]);
      for (let head = 0; head < this.heads; head++) {
        const rows = q.map((one, t) => {
          const scores = [];
          for (let s = 0; s <= t; s++)
            scores.push(dot(one, k[s], head * d, (head + 1) * d) / Math.sqrt(d));
          return softmax(scores); // no place looks ahead
        });
        looks[block].push(rows);
        rows.forEach((weights, t) => {
          for (let j = head * e; j < (head + 1) * e; j++) {
            let sum = 0;
            for (let s = 0; s <= t; s++) sum += weights[s] * v[s][j];
            merged[t][j] = sum * loudness[block * this.heads + head];
          }
        });
      }
      const out = times(merged, w(`${name}.heads.w_o`), shape(`${name}.heads.w_o`));
      x = x.map((one, t) => one.map((old, i) => old + out[t][i]));
    }
    return { x, looks };
  }

  /** A score for each letter, at each place. */
  scores(ids, loudness) {
    const { x } = this.states(ids, loudness);
    const { w, b } = this.weights;
    const y = normed(x, this.weights["norm.weight"].values, this.weights["norm.bias"].values);
    return times(y, w.values, w.shape).map((row) => row.map((one, i) => one + b.values[i]));
  }

  /** The letters with which it goes on, each the likeliest one. */
  continued(text, count, loudness) {
    const ids = this.fitted(text, count);
    for (let i = 0; i < count; i++) {
      const last = this.scores(ids, loudness).at(-1);
      ids.push(last.indexOf(Math.max(...last)));
    }
    return ids.slice(-count).map((id) => this.alphabet[id]).join("");
  }
}
