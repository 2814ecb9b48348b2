/* Accelerations and multipliers; `given` holds the accelerations of prescribed speeds. Returns 0, or 1 where the mass matrix is singular. */
int accelerations(const double *q, const double *u, const double *given, double *acceleration, double *multipliers)
{
    double mass[SPEEDS * SPEEDS + 1], force[SPEEDS + 1], jacobian[ROWS * SPEEDS + 1], right[ROWS + 1];
    double factor[FREE * FREE + 1], open[FREE + 1], reach[ROWS * FREE + 1], reflected[ROWS * ROWS + 1];
    double size[ROWS + 1], known[SPEEDS + 1];
    int order[ROWS + 1], rank = 0;
    equations(q, u, mass, force, jacobian, right);
    for (int i = 0; i < SPEEDS; i++) known[i] = given[i];
    for (int a = 0; a < FREE; a++) known[free_speeds[a]] = 0.0;
    /* M = L L^T over the free speeds. */
    for (int a = 0; a < FREE; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = mass[free_speeds[a] * SPEEDS + free_speeds[b]];
            for (int k = 0; k < b; k++) sum -= factor[a * FREE + k] * factor[b * FREE + k];
            if (a == b && !(sum > 0.0)) return 1;
            factor[a * FREE + b] = a == b ? sqrt(sum) : sum / factor[b * FREE + b];
        }
    }
    for (int a = 0; a < FREE; a++) {
        double sum = force[free_speeds[a]];
        for (int j = 0; j < SPEEDS; j++) sum -= mass[free_speeds[a] * SPEEDS + j] * known[j];
        for (int k = 0; k < a; k++) sum -= factor[a * FREE + k] * open[k];
        open[a] = sum / factor[a * FREE + a];
    }
    for (int r = 0; r < ROWS; r++) {
        double *row = reach + r * FREE;
        for (int a = 0; a < FREE; a++) {
            double sum = jacobian[r * SPEEDS + free_speeds[a]];
            for (int k = 0; k < a; k++) sum -= factor[a * FREE + k] * row[k];
            row[a] = sum / factor[a * FREE + a];
        }
        for (int j = 0; j < SPEEDS; j++) right[r] -= jacobian[r * SPEEDS + j] * known[j];
        for (int a = 0; a < FREE; a++) right[r] -= row[a] * open[a];
        order[r] = r;
        multipliers[r] = 0.0;
    }
    for (int r = 0; r < ROWS; r++) {
        for (int s = 0; s < ROWS; s++) {
            double sum = 0.0;
            for (int a = 0; a < FREE; a++) sum += reach[r * FREE + a] * reach[s * FREE + a];
            reflected[r * ROWS + s] = sum;
        }
        size[r] = reflected[r * ROWS + r];
    }
    /* Rows by their pivots: dependent ones are left out. */
    for (; rank < ROWS; rank++) {
        int best = -1;
        for (int r = rank; r < ROWS; r++) {
            int at = order[r];
            if (size[at] > 0.0 && reflected[at * ROWS + at] > 1e-11 * size[at] &&
                (best < 0 || reflected[at * ROWS + at] / size[at] >
                                 reflected[order[best] * ROWS + order[best]] / size[order[best]]))
                best = r;
        }
        if (best < 0) break;
        int pivot = order[best];
        order[best] = order[rank];
        order[rank] = pivot;
        for (int r = rank + 1; r < ROWS; r++) {
            int at = order[r];
            double share = reflected[at * ROWS + pivot] / reflected[pivot * ROWS + pivot];
            for (int s = rank + 1; s < ROWS; s++)
                reflected[at * ROWS + order[s]] -= share * reflected[pivot * ROWS + order[s]];
            right[at] -= share * right[pivot];
        }
    }
    for (int k = rank - 1; k >= 0; k--) {
        double sum = right[order[k]];
        for (int s = k + 1; s < rank; s++) sum -= reflected[order[k] * ROWS + order[s]] * multipliers[order[s]];
        multipliers[order[k]] = sum / reflected[order[k] * ROWS + order[k]];
    }
    for (int a = 0; a < FREE; a++)
        for (int r = 0; r < ROWS; r++) open[a] += reach[r * FREE + a] * multipliers[r];
    for (int i = 0; i < SPEEDS; i++) acceleration[i] = known[i];
    for (int a = FREE - 1; a >= 0; a--) {
        double sum = open[a];
        for (int b = a + 1; b < FREE; b++) sum -= factor[b * FREE + a] * acceleration[free_speeds[b]];
        acceleration[free_speeds[a]] = sum / factor[a * FREE + a];
    }
    return 0;
}
