"""Environments: the API's own checks, equal bits alone and in a batch, the cost of a step."""

import time

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import flexura.gym  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

TASKS = ["flexura/FlexibleArm-v0", "flexura/Crane-v0"]


@pytest.mark.parametrize("name", TASKS)
def test_environments_pass_the_checks_of_the_api(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", TASKS)
def test_a_rollout_of_a_thousand_steps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(name)
    env.reset(seed=3)
    random, began, episodes = np.random.default_rng(3), time.perf_counter(), 1
    for _ in range(1000):
        seen, reward, ended, out_of_time, _ = env.step(random.uniform(-1.0, 1.0, env.action_space.shape))
        assert np.isfinite(seen).all() and np.isfinite(reward)
        if ended or out_of_time:
            env.reset()
            episodes += 1
    cost = (time.perf_counter() - began) / 1000
    with capsys.disabled():
        print(f"\n{name}: {1e6 * cost:.0f} µs per step of the environment, {episodes} episodes")
    assert episodes >= 5


@pytest.mark.parametrize("name", TASKS)
def test_a_batch_has_the_bits_of_single_environments(name: str) -> None:
    many = gymnasium.make_vec(name, num_envs=3)
    seen, _ = many.reset(seed=11)
    alone = [gymnasium.make(name) for _ in range(3)]
    firsts = [env.reset(seed=11 + place)[0] for place, env in enumerate(alone)]
    assert np.array_equal(seen, firsts)
    random, ended = np.random.default_rng(5), np.zeros(3, dtype=bool)
    for _ in range(210):  # beyond the end of an episode
        actions = random.uniform(-1.0, 1.0, (3, 1))
        seen, rewards, terminations, truncations, _ = many.step(actions)
        for place, env in enumerate(alone):
            if ended[place]:
                assert np.array_equal(seen[place], env.reset()[0]) and rewards[place] == 0.0
                ended[place] = False
                continue
            own, reward, over, late, _ = env.step(actions[place])
            assert np.array_equal(seen[place], own) and rewards[place] == reward
            assert (terminations[place], truncations[place]) == (over, late)
            ended[place] = over or late


def test_a_simple_law_solves_the_arm_better_than_none() -> None:
    task = flexura.gym.FlexibleArm()
    env = flexura.gym.Env(task)

    def total(law: bool) -> float:
        seen, info = env.reset(seed=4)
        assert abs(info["goal"][0]) > 0.5
        rewards = []
        for _ in range(task.steps):
            error, rate = seen[0], seen[1] * 3.0
            seen, reward, ended, _, _ = env.step(np.array([-0.5 * error - 0.25 * rate if law else 0.0]))
            rewards.append(float(reward))
            assert not ended
        return sum(rewards)

    idle = total(False)
    assert total(True) > 0.25 * idle
    assert abs(env.simulator["motor.angle"] - env._batch.goals[0, 0]) < 0.05
