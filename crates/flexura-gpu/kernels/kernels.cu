// Entry points: one thread per lane, node, slot of a lane or clock. The emulation runs the same functions in loops.

#ifndef FX_SUBTREES
#define FX_SUBTREES 4 /* blocks of subtrees side by side on a multiprocessor */
#endif
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

FX void move_lane(const Args &a, int lane) {
    lane_motion(a, lane);
    const int *words = lane_words(a, lane);
    if (!IS_BATCH(a) && words[LN_KIND] == RUN) store_basis(a, lane, words[LN_NODE]);
}

KERNEL(fx_prescribe, prescribe_at(a, at / a.lanes, at % a.lanes))
KERNEL(fx_lane_spin, lane_spin(a, at))
KERNEL(fx_lane_motion, move_lane(a, at))
#ifndef FX_TEAMS
KERNEL(fx_lane_in, lane_in(a, at))
KERNEL(fx_lane_handle, lane_handle(a, at))
#endif
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

// Lanes of flexible bodies, eight threads each: four lanes of a warp stand side by side.
#ifdef __CUDACC__
#ifdef FX_TEAMS
extern "C" __global__ void __launch_bounds__(32) fx_lane_team(Args a, int first, int count) {
    __shared__ real room[4 * R_ALL];
    const int i = blockIdx.x * 4 + threadIdx.x % 4;
    if (i >= count) return;
    const Team team = {(int)threadIdx.x / 4, 8, 0x11111111u << threadIdx.x % 4};
    lane_in_team(a, team, first + i, room + R_ALL * (threadIdx.x % 4));
}
#endif
#else
extern "C" void fx_lane_team(const Args *p, int first, int count) {
    real room[R_ALL];
    const Team team = {0, 1, 0};
    for (int i = 0; i < count; i++) lane_in_team(*p, team, first + i, room);
}
#endif

// Levels of few nodes one after the other by blocks of threads: a block takes a subtree, or whatever is left near the top. Words of a
// block in the list: first of its levels and how many; of a level: kernel, first entry, entries, whether the next level need not wait.
// Numbers of kernels as in crates/flexura/src/lower.
enum { RUN_SPIN_UP = 4, RUN_SPIN_ROOT, RUN_SPIN_DOWN, RUN_JOIN, RUN_SHOW, RUN_SUM, RUN_HANG, RUN_PART, RUN_WAY_UP = 15, RUN_WAY_ROOT, RUN_WAY_DOWN };
enum { BLOCK_WORDS = 2, LEVEL_WORDS = 4 };
FX bool by_team(int kernel) { return kernel == RUN_JOIN || kernel == RUN_PART; }
// Along the tree only: what subtrees need.
FX void run_along(const Args &a, int kernel, const int *entry) {
    const int node = entry[W_NODE];
    if (kernel == RUN_SPIN_UP) spin_up_of(a, node, entry[W_LEFT], entry[W_RIGHT]);
    if (kernel == RUN_SPIN_DOWN) spin_down_of(a, node, entry[W_LEFT], entry[W_RIGHT]);
#if !defined(__CUDACC__) || defined(FX_LOADED)
    if (kernel == RUN_WAY_UP) way_up(a, node);
    if (kernel == RUN_WAY_DOWN) way_down(a, node);
#endif
}
FX void run_small(const Args &a, int kernel, const int *entry) {
    const int node = entry[W_NODE];
    switch (kernel) {
    case RUN_SPIN_ROOT: spin_root(a, node); break;
    case RUN_SHOW: show(a, node); break;
    case RUN_SUM: sum(a, node); break;
    case RUN_HANG: hang(a, node); break;
#if !defined(__CUDACC__) || defined(FX_LOADED)
    case RUN_WAY_ROOT: way_root(a, node); break;
#endif
    default: run_along(a, kernel, entry);
    }
}
FX void run_team(const Args &a, const Team &team, int kernel, const int *words, real *room) {
    if (kernel == RUN_JOIN) join_team(a, team, words, room);
    else part_team(a, team, words, room);
}
#ifdef __CUDACC__
FX void own_entry(const Args &a, const int *level, int me, int *entry) {
    if (!by_team(level[0]) && me < level[2]) UNROLL for (int i = 0; i <= W_RIGHT; i++) entry[i] = a.list[level[1] + W_ALL * me + i];
}
// Single threads count from the end, so that teams that go on meanwhile are others.
template <bool whole> FX void run_block(const Args &a, int first) {
    __shared__ int words[TEAM_NODES * W_ALL];
    __shared__ real room[TEAMS * ROOM];
    const int *block = a.list + first + BLOCK_WORDS * blockIdx.x, *levels = a.list + block[0], count = block[1];
    const int me = threadIdx.x, back = GROUP - 1 - me;
    const Team team = {me % 32, 32, ~0u};
    int known = 0;
    for (int h = 0; h < count; h++) {
        const int *level = levels + LEVEL_WORDS * h;
        if (!by_team(level[0])) continue;
        for (int i = me; i < W_ALL * level[2]; i += GROUP) words[W_ALL * known + i] = a.list[level[1] + i];
        known += level[2];
    }
    int entry[W_ALL];
    own_entry(a, levels, back, entry);
    __syncthreads();
    known = 0;
    for (int h = 0; h < count; h++) {
        const int *level = levels + LEVEL_WORDS * h;
        if (by_team(level[0])) {
            for (int i = me / 32; i < level[2]; i += TEAMS) run_team(a, team, level[0], words + W_ALL * (known + i), room + ROOM * (me / 32));
            known += level[2];
        } else if (back < level[2]) {
            if (whole) run_small(a, level[0], entry);
            else run_along(a, level[0], entry);
        }
        if (h + 1 < count) own_entry(a, level + LEVEL_WORDS, back, entry); // on its way while the others finish
        if (!level[3]) __syncthreads();
    }
}
extern "C" __global__ void __launch_bounds__(GROUP) fx_block(Args a, int first, int) { run_block<true>(a, first); }
extern "C" __global__ void __launch_bounds__(GROUP, FX_SUBTREES) fx_subtree(Args a, int first, int) { run_block<false>(a, first); }
#else
extern "C" void fx_block(const Args *p, int first, int blocks) {
    const Args &a = *p;
    const Team team = {0, 1, 0};
    real room[ROOM];
    for (int b = 0; b < blocks; b++) {
        const int *block = a.list + first + BLOCK_WORDS * b;
        for (int h = 0; h < block[1]; h++) {
            const int *level = a.list + block[0] + LEVEL_WORDS * h;
            for (int i = 0; i < level[2]; i++) {
                const int *entry = a.list + level[1] + W_ALL * i;
                if (by_team(level[0])) run_team(a, team, level[0], entry, room);
                else run_small(a, level[0], entry);
            }
        }
    }
}
extern "C" void fx_subtree(const Args *p, int first, int blocks) { fx_block(p, first, blocks); }
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
