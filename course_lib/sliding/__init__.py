"""Pictures with sliders: parameters in, frames and sentences out."""
