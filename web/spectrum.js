// spectrum.js: the variances of items along their own principal axes.

const MOST_ITEMS = 20000, SWEEPS = 30;

/* Eigenvalues of a symmetric matrix a: [n, n], largest first, by Jacobi's rotations. Changes a. */
export function eigenvalues(a, n) {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
        let off = 0, all = 0;
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
            all += a[i * n + j] ** 2;
            if (i !== j) off += a[i * n + j] ** 2;
        }
        if (off <= 1e-18 * all) break;
        for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) {
            const apq = a[p * n + q];
            if (apq === 0) continue;
            const half = (a[q * n + q] - a[p * n + p]) / (2 * apq), t = Math.sign(half || 1) / (Math.abs(half) + Math.hypot(half, 1)), c = 1 / Math.hypot(t, 1), s = t * c;
            for (let k = 0; k < n; k++) {
                const kp = a[k * n + p], kq = a[k * n + q];
                a[k * n + p] = c * kp - s * kq;
                a[k * n + q] = s * kp + c * kq;
            }
            for (let k = 0; k < n; k++) {
                const pk = a[p * n + k], qk = a[q * n + k];
                a[p * n + k] = c * pk - s * qk;
                a[q * n + k] = s * pk + c * qk;
            }
        }
    }
    return Array.from({length: n}, (_, i) => a[i * n + i]).sort((x, y) => y - x);
}

/* The spectrum of some items; columns: [d] of their amounts, scales: [d] deviations; items: numbers, or null for all. */
export function spectrumOf(columns, scales, items) {
    const d = columns.length, count = items ? items.length : columns[0].length, step = Math.max(1, Math.ceil(count / MOST_ITEMS)), n = Math.ceil(count / step);
    const mean = new Float64Array(d), sums = new Float64Array(d * d), row = new Float64Array(d), at = (i) => items ? items[i * step] : i * step;
    for (let i = 0; i < n; i++) for (let k = 0; k < d; k++) mean[k] += columns[k][at(i)] * scales[k] / n;
    for (let i = 0; i < n; i++) {
        for (let k = 0; k < d; k++) row[k] = columns[k][at(i)] * scales[k] - mean[k];
        for (let j = 0; j < d; j++) for (let k = j; k < d; k++) sums[j * d + k] += row[j] * row[k] / n;
    }
    for (let j = 0; j < d; j++) for (let k = 0; k < j; k++) sums[j * d + k] = sums[k * d + j];
    return eigenvalues(sums, d).map((v) => Math.max(0, v));
}

/* How many axes the variance is spread over: e to the entropy of the shares, as in `eccentric components`. */
export function effectiveRank(values) {
    const total = values.reduce((sum, v) => sum + v, 0);
    return Math.exp(-values.reduce((sum, v) => sum + (v > 0 ? v / total * Math.log(v / total) : 0), 0));
}
