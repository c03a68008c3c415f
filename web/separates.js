// separates.js: what tells the selected items from the others: the information, in bits, that one split by a value gives about it.

const BINS = 128, REACH = 3;    // splits that are tried, from -3 to 3 deviations of the values

/* The entropy of a choice between a and b items, in bits, times their number. */
const entropy = (a, b) => (a > 0 ? a * Math.log2((a + b) / a) : 0) + (b > 0 ? b * Math.log2((a + b) / b) : 0);

/* Bits about being inside that a yes or no tells: yes of `inside` items and yes of `outside` items say so. */
export function bitsOfCounts(yesInside, inside, yesOutside, outside) {
    const all = inside + outside;
    return (entropy(inside, outside) - entropy(yesInside, yesOutside) - entropy(inside - yesInside, outside - yesOutside)) / all;
}

/* The best split of values (NaN: not known): {bits, here, elsewhere}, the means inside and outside. weights: what an item inside and
 * one outside count for. */
export function bestSplit(values, inside, weights = [1, 1]) {
    let n = 0, sum = 0, squares = 0;
    const sums = [0, 0], counts = [0, 0];
    for (let i = 0; i < values.length; i++) {
        const v = values[i], side = inside[i], w = weights[1 - side];
        if (Number.isNaN(v)) continue;
        n += w;
        sum += w * v;
        squares += w * v * v;
        sums[side] += w * v;
        counts[side] += w;
    }
    const mean = sum / n, deviation = Math.sqrt(Math.max(0, squares / n - mean * mean)), means = {here: sums[1] / counts[1], elsewhere: sums[0] / counts[0]};
    if (!(counts[0] > 0 && counts[1] > 0 && deviation > 1e-12 * Math.abs(mean))) return {bits: 0, deviation: deviation || 0, ...means};
    const below = [new Float64Array(BINS), new Float64Array(BINS)], low = mean - REACH * deviation, by = BINS / (2 * REACH * deviation);
    for (let i = 0; i < values.length; i++) {
        if (Number.isNaN(values[i])) continue;
        below[inside[i]][Math.max(0, Math.min(BINS - 1, Math.floor((values[i] - low) * by)))] += weights[1 - inside[i]];
    }
    let bits = 0;
    for (let b = 0, mine = 0, others = 0; b < BINS - 1; b++) {
        mine += below[1][b];
        others += below[0][b];
        bits = Math.max(bits, bitsOfCounts(mine, counts[1], others, counts[0]));
    }
    return {bits, deviation, ...means};
}
