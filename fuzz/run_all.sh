#!/usr/bin/env bash
# run_all.sh SECONDS [RUNS] [TARGET...]: all targets side by side, SECONDS each, or until each has had RUNS inputs (0: no such end).
#
# Stands beside the program `any` and the folders `corpus`, `seeds` and `dictionaries` (scripts/fuzz puts them together; they may be
# carried to another machine), and writes to the folder `out`: one log per target, the inputs that did harm, and `summary.txt`.
# A target that was stopped by an input goes on with the others until its time is over. Limits per input: 20 s, 4 GB. A program that
# ends with a failure and names no input has not been fuzzed: such ends are counted too, and so are targets that saw no input at all.
set -u
cd "$(dirname "$0")" || exit 1
seconds=${1:-60}
runs=${2:-0}
shift $(($# > 2 ? 2 : $#))
all="model part abaqus nastran gmsh unv vtk matrix_market dmig reduced_body sid result journal checkpoint urdf mjcf sdf op4 fatigue_curve gauges stl obj gltf"
targets=${*:-$all}
processors=$(nproc 2>/dev/null || echo 2)
# Libraries of the machine that built it, where this one has none.
FLEXURA_FUZZ_TARGET=journal ./any -runs=1 corpus/journal >/dev/null 2>&1 || export LD_LIBRARY_PATH="$PWD/lib"
rm -rf out
mkdir -p out

# One target until its time is over or its inputs are done.
fuzz() {
    local name=$1 end=$((SECONDS + seconds)) left done_so_far=0 harm=0 count unexplained=0 named=0 before
    mkdir -p "out/$name" "corpus/$name"
    local folders=("corpus/$name")
    [ -d "seeds/$name" ] && folders+=("seeds/$name")
    local words=()
    [ -s "dictionaries/$name.dict" ] && words=(-dict="dictionaries/$name.dict")
    while left=$((end - SECONDS)) && [ "$left" -gt 0 ] && [ "$harm" -lt 60 ] && [ "$unexplained" -lt 3 ]; do
        local limit=()
        if [ "$runs" -gt 0 ]; then
            [ "$done_so_far" -ge "$runs" ] && break
            limit=(-runs=$((runs - done_so_far)))
        fi
        FLEXURA_FUZZ_TARGET=$name ./any "${folders[@]}" "${words[@]}" "${limit[@]}" -max_total_time="$left" -timeout=20 \
            -rss_limit_mb=4096 -malloc_limit_mb=4096 -max_len=65536 -print_final_stats=1 -verbosity=1 -seed=$((harm + 1)) \
            -artifact_prefix="out/$name/" >"out/$name.part" 2>&1
        local status=$?
        count=$(awk '/stat::number_of_executed_units/ { print $2 }' "out/$name.part")
        done_so_far=$((done_so_far + ${count:-0}))
        cat "out/$name.part" >>"out/$name.log"
        [ "$status" = 0 ] && break
        harm=$((harm + 1))
        before=$named
        named=$(find "out/$name" -type f | wc -l)
        [ "$named" -gt "$before" ] || unexplained=$((unexplained + 1))
    done
    [ "$done_so_far" -gt 0 ] || unexplained=$((unexplained + 1))
    rm -f "out/$name.part"
    local crashes timeouts memory cover
    crashes=$(find "out/$name" -name 'crash-*' | wc -l)
    timeouts=$(find "out/$name" -name 'timeout-*' | wc -l)
    memory=$(find "out/$name" -name 'oom-*' | wc -l)
    cover=$(grep -o 'cov: [0-9]*' "out/$name.log" | tail -1 | cut -d' ' -f2)
    peak=$(awk '/stat::peak_rss_mb/ { if ($2 > most) most = $2 } END { print most + 0 }' "out/$name.log")
    slow=$(awk '/stat::slowest_unit_time_sec/ { if ($2 > most) most = $2 } END { print most + 0 }' "out/$name.log")
    printf '%-14s %10d inputs %4d panics %4d hangs %4d memory %4d unexplained  edges %7s  peak %5s MB  slowest %3s s\n' \
        "$name" "$done_so_far" "$crashes" "$timeouts" "$memory" "$unexplained" "${cover:-?}" "$peak" "$slow" >"out/$name.line"
}

running=0
for name in $targets; do
    fuzz "$name" &
    running=$((running + 1))
    if [ "$running" -ge "$processors" ]; then
        wait -n
        running=$((running - 1))
    fi
done
wait
{
    for name in $targets; do cat "out/$name.line"; done
    cat out/*.line | awk '{ inputs += $2; panics += $4; hangs += $6; memory += $8; unexplained += $10 }
        END { printf "%-14s %10d inputs %4d panics %4d hangs %4d memory %4d unexplained\n", "all", inputs, panics, hangs, memory, unexplained }'
    echo
    echo "where it stopped, how often:"
    cat out/*.log | grep -a -A1 '^thread .* panicked at' | grep -av '^--' | paste - - | sed 's/thread .* panicked at/panicked at/' | sort | uniq -c | sort -rn | head -60
} | tee out/summary.txt
rm -f out/*.line
rm -rf /dev/shm/flexura-fuzz-*
