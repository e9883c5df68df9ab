/** Fractional bits of weights, whole numbers that add up to 2⁸ for each target: a plain colour does not change. */
export const WEIGHT_BITS = 8;

/** Fractional bits of sums that are colours in YUV or RGB: they fit in 32 bits. */
export const YUV_BITS = 16;
