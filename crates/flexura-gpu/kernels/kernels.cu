// Entry points: one thread per lane, node, slot of a lane or clock. The emulation runs the same functions in loops.

#ifdef __CUDACC__
#define WHO (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, what)                                                                                  \
    extern "C" __global__ void __launch_bounds__(FX_BLOCK) name(Args a, int first, int count) {             \
        int i = WHO;                                                                                        \
        if (i < count) { int at = first + i; what; }                                                        \
    }
#define STEP_KERNEL(name, what)                                                                             \
    extern "C" __global__ void __launch_bounds__(FX_BLOCK) name(Args a, Steps b, int stage, int count) {    \
        int at = WHO;                                                                                       \
        if (at < count) { what; }                                                                           \
    }
#else
#define KERNEL(name, what)                                                       \
    extern "C" void name(const Args *p, int first, int count) {                  \
        const Args &a = *p;                                                      \
        for (int i = 0; i < count; i++) { int at = first + i; what; }            \
    }
#define STEP_KERNEL(name, what)                                                  \
    extern "C" void name(const Args *p, const Steps *r, int stage, int count) {  \
        const Args &a = *p;                                                      \
        const Steps &b = *r;                                                     \
        (void)stage;                                                             \
        for (int at = 0; at < count; at++) { what; }                             \
    }
#endif

KERNEL(fx_prescribe, prescribe_at(a, at / a.lanes, at % a.lanes))
KERNEL(fx_lane_spin, lane_spin(a, at))
KERNEL(fx_lane_motion, lane_motion(a, at))
KERNEL(fx_lane_in, lane_in(a, at))
KERNEL(fx_lane_handle, lane_handle(a, at))
KERNEL(fx_lane_out, lane_out(a, at))
// Nodes of one level stand in a list.
KERNEL(fx_spin_up, spin_up(a, a.list[at]))
KERNEL(fx_spin_root, spin_root(a, a.list[at]))
KERNEL(fx_spin_down, spin_down(a, a.list[at]))
KERNEL(fx_join, join(a, a.list[at]))
KERNEL(fx_show, show(a, a.list[at]))
KERNEL(fx_sum, sum(a, a.list[at]))
KERNEL(fx_hang, hang(a, a.list[at]))
KERNEL(fx_part, part(a, a.list[at]))
#if !defined(__CUDACC__) || defined(FX_LOADED)
KERNEL(fx_lane_way, lane_way(a, at))
KERNEL(fx_way_up, way_up(a, a.list[at]))
KERNEL(fx_way_root, way_root(a, a.list[at]))
KERNEL(fx_way_down, way_down(a, a.list[at]))
KERNEL(fx_lane_pose, lane_pose(a, at))
// In a batch the systems of one load stand side by side.
KERNEL(fx_frame_load, frame_load(a, IS_BATCH(a) ? at / a.lanes : at, IS_BATCH(a) ? at % a.lanes : 0))
#endif

// Small levels of nodes one after the other by one block of threads; numbers of kernels as in crates/flexura/src/lower.
FX void run_small(const Args &a, int kernel, int at) {
    switch (kernel) {
    case 4: spin_up(a, a.list[at]); break;
    case 5: spin_root(a, a.list[at]); break;
    case 6: spin_down(a, a.list[at]); break;
    case 7: join(a, a.list[at]); break;
    case 8: show(a, a.list[at]); break;
    case 9: sum(a, a.list[at]); break;
    case 10: hang(a, a.list[at]); break;
    case 11: part(a, a.list[at]); break;
#if !defined(__CUDACC__) || defined(FX_LOADED)
    case 15: way_up(a, a.list[at]); break;
    case 16: way_root(a, a.list[at]); break;
    case 17: way_down(a, a.list[at]); break;
#endif
    default: break;
    }
}
#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(GROUP) fx_block(Args a, int first, int count) {
    for (int op = 0; op < count; op++) {
        const int *w = a.list + first + 3 * op;
        for (int i = threadIdx.x; i < w[2]; i += GROUP) run_small(a, w[0], w[1] + i);
        __syncthreads();
    }
}
#else
extern "C" void fx_block(const Args *p, int first, int count) {
    for (int op = 0; op < count; op++) {
        const int *w = p->list + first + 3 * op;
        for (int i = 0; i < w[2]; i++) run_small(*p, w[0], w[1] + i);
    }
}
#endif

STEP_KERNEL(fx_begin, begin_step(a, b, at))
STEP_KERNEL(fx_advance, advance(a, b, at / a.lanes, at % a.lanes, stage))
STEP_KERNEL(fx_finish, finish_slot(a, b, at / a.lanes, at % a.lanes))
STEP_KERNEL(fx_error, lane_error(a, b, at))
STEP_KERNEL(fx_settle, settle_slot(a, b, at / a.lanes, at % a.lanes))
// Every system of a batch judges itself.
STEP_KERNEL(fx_judge, judge_step(a, b, at, b.partial[2 * (size_t)at], b.partial[2 * (size_t)at + 1], b.work[at]))
STEP_KERNEL(fx_tick, tick(a, b, at, a.fault[at]))

// The lanes of a huge system together: GROUP sums of every GROUP-th lane, then those in order, whatever the device.
FX void group_sums(const Args &a, const Steps &b, int group, real *sums) {
    real error = 0, work_error = 0, work = 0, faulty = 0;
    for (int lane = group; lane < a.lanes; lane += GROUP) {
        error += b.partial[2 * (size_t)lane];
        work_error += b.partial[2 * (size_t)lane + 1];
        work += b.work[lane];
        faulty += a.fault[lane];
    }
    sums[4 * group] = error;
    sums[4 * group + 1] = work_error;
    sums[4 * group + 2] = work;
    sums[4 * group + 3] = faulty;
}
FX void all_judged(const Args &a, const Steps &b, const real *sums, int judged) {
    real total[4] = {0, 0, 0, 0};
    for (int g = 0; g < GROUP; g++)
        for (int i = 0; i < 4; i++) total[i] += sums[4 * g + i];
    if (judged) judge_step(a, b, 0, total[0], total[1], total[2]);
    else tick(a, b, 0, total[3] != 0);
}
#ifdef __CUDACC__
extern "C" __global__ void fx_judge_all(Args a, Steps b, int stage, int count) {
    __shared__ real sums[4 * GROUP];
    group_sums(a, b, threadIdx.x, sums);
    __syncthreads();
    if (threadIdx.x == 0) all_judged(a, b, sums, stage);
}
extern "C" __global__ void fx_standing(Args a, Steps b, int stage, int count) {
    int i = WHO;
    if (i < count && b.clock[(size_t)i * CK_WORDS + CK_STANDS] != 0) atomicAdd(b.standing, 1);
}
#else
extern "C" void fx_judge_all(const Args *p, const Steps *r, int stage, int) {
    real sums[4 * GROUP];
    for (int g = 0; g < GROUP; g++) group_sums(*p, *r, g, sums);
    all_judged(*p, *r, sums, stage);
}
extern "C" void fx_standing(const Args *, const Steps *r, int, int count) {
    for (int i = 0; i < count; i++)
        if (r->clock[(size_t)i * CK_WORDS + CK_STANDS] != 0) *r->standing += 1;
}
#endif
