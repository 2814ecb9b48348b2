// Pinocchio's side of scripts/compare_peers: a tree from a table of numbers, timed and stepped; one line of JSON.
//
// pinocchio_side TABLE STEP STEPS SECONDS: every figure is repeated for SECONDS. Compiled against the headers of the wheel `pin`, so that
// flags and instructions are those of the command line, not of the wheel. The state is another one in every call.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>

using Vector = Eigen::VectorXd;
using pinocchio::SE3;

struct Tree
{
  pinocchio::Model model;
  Vector q, v;
  bool flat = true;  // no quaternions: coordinates add up
};

// Rows of `Tree.table` in scripts/peers/trees.py.
static Tree read(const char * path)
{
  std::ifstream in(path);
  Tree tree;
  int count;
  Eigen::Vector3d g;
  in >> count >> g[0] >> g[1] >> g[2];
  tree.model.gravity.linear(g);
  std::vector<double> q, v;
  for (int k = 0; k < count; ++k)
  {
    int parent, free;
    double mass, angle, rate;
    Eigen::Vector3d axis, place, center, inertia;
    in >> parent >> free >> axis[0] >> axis[1] >> axis[2] >> place[0] >> place[1] >> place[2] >> mass;
    in >> center[0] >> center[1] >> center[2] >> inertia[0] >> inertia[1] >> inertia[2] >> angle >> rate;
    const SE3 at(Eigen::Matrix3d::Identity(), free ? Eigen::Vector3d::Zero() : place);
    const auto before = pinocchio::JointIndex(parent + 1);
    const auto name = "b" + std::to_string(k);
    pinocchio::JointIndex joint;
    if (free)
    {
      joint = tree.model.addJoint(before, pinocchio::JointModelFreeFlyer(), at, name);
      for (double x : {place[0], place[1], place[2], 0.0, 0.0, 0.0, 1.0}) q.push_back(x);
      v.insert(v.end(), 6, 0.0);
      tree.flat = false;
    }
    else
    {
      // The joints with an axis of their own are the quicker ones.
      if (axis[0] == 1.0)
        joint = tree.model.addJoint(before, pinocchio::JointModelRX(), at, name);
      else if (axis[1] == 1.0)
        joint = tree.model.addJoint(before, pinocchio::JointModelRY(), at, name);
      else if (axis[2] == 1.0)
        joint = tree.model.addJoint(before, pinocchio::JointModelRZ(), at, name);
      else
        joint = tree.model.addJoint(before, pinocchio::JointModelRevoluteUnaligned(axis), at, name);
      q.push_back(angle);
      v.push_back(rate);
    }
    const pinocchio::Inertia body(mass, center, pinocchio::Symmetric3(inertia.asDiagonal().toDenseMatrix()));
    tree.model.appendBodyToJoint(joint, body, SE3::Identity());
  }
  if (!in)
  {
    std::fprintf(stderr, "cannot read %s\n", path);
    std::exit(1);
  }
  tree.q = Eigen::Map<Vector>(q.data(), q.size());
  tree.v = Eigen::Map<Vector>(v.data(), v.size());
  return tree;
}

// Processor seconds of this program: what others do on the machine between is not ours.
static double now()
{
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Microseconds of one call, over at least `seconds`; the clock is looked at rarely.
template <class Work> static double timed(double seconds, Work work)
{
  for (long calls = 4;; calls *= 2)
  {
    const double began = now();
    for (long i = 0; i < calls; ++i) work();
    const double spent = now() - began;
    if (spent >= seconds) return 1e6 * spent / double(calls);
  }
}

struct Stepper
{
  const Tree & tree;
  pinocchio::Data & data;
  pinocchio::Convention convention;
  Vector tau, q, v, stage_q, stage_v, sum_q, sum_v, a;

  Stepper(const Tree & t, pinocchio::Data & d, pinocchio::Convention c)
  : tree(t), data(d), convention(c), tau(Vector::Zero(t.model.nv)), q(t.q), v(t.v), stage_q(t.q), stage_v(t.v)
  {
  }

  void moved(const Vector & rate, double h, Vector & out)
  {
    if (tree.flat)
      out.noalias() = q + h * rate;
    else
      pinocchio::integrate(tree.model, q, Vector(h * rate), out);
  }

  const Vector & acceleration(const Vector & at_q, const Vector & at_v)
  {
    return pinocchio::aba(tree.model, data, at_q, at_v, tau, convention);
  }

  // One step of Runge and Kutta.
  void step(double h)
  {
    a = acceleration(q, v);
    sum_q = v;
    sum_v = a;
    stage_v = v;
    const double part[3] = {0.5, 0.5, 1.0}, weight[3] = {2.0, 2.0, 1.0};
    for (int i = 0; i < 3; ++i)
    {
      moved(stage_v, part[i] * h, stage_q);
      stage_v = v + part[i] * h * a;
      a = acceleration(stage_q, stage_v);
      sum_q += weight[i] * stage_v;
      sum_v += weight[i] * a;
    }
    moved(sum_q, h / 6.0, stage_q);
    q.swap(stage_q);
    v += h / 6.0 * sum_v;
  }
};

static void print(const char * name, const Vector & numbers)
{
  std::printf(", \"%s\": [", name);
  for (int i = 0; i < numbers.size(); ++i) std::printf("%s%.15g", i ? ", " : "", numbers[i]);
  std::printf("]");
}

int main(int count, char ** words)
{
  if (count != 5)
  {
    std::fprintf(stderr, "give TABLE STEP STEPS SECONDS; see scripts/compare_peers\n");
    return 1;
  }
  const Tree tree = read(words[1]);
  const double h = std::atof(words[2]), seconds = std::atof(words[4]);
  const int steps = std::atoi(words[3]);
  const auto & model = tree.model;

  // One for all: with 512 bodies it takes more than 4 GB, third powers of their number.
  pinocchio::Data data(model);
  const Vector a = Stepper(tree, data, pinocchio::Convention::LOCAL).acceleration(tree.q, tree.v);
  double aba[2], run[2];
  Vector end_q, end_v;
  const pinocchio::Convention conventions[2] = {pinocchio::Convention::LOCAL, pinocchio::Convention::WORLD};
  for (int i = 0; i < 2; ++i)
  {
    Stepper one(tree, data, conventions[i]);
    double turn = 0.0;
    aba[i] = timed(seconds, [&] {
      // Another state in every call, as a run has it.
      turn += 1e-3;
      one.stage_v = tree.v;
      one.stage_v[model.nv - 1] += turn;
      one.acceleration(tree.q, one.stage_v);
    });
    Stepper other(tree, data, conventions[i]);
    const double began = now();
    for (int k = 0; k < steps; ++k) other.step(h);
    run[i] = 1e6 * (now() - began) / (4.0 * steps);
    end_q = other.q;
    end_v = other.v;
  }
  const Vector tau = Vector::Zero(model.nv);
  const double derivatives = timed(seconds, [&] { pinocchio::computeABADerivatives(model, data, tree.q, tree.v, tau); });
  const double rnea = timed(seconds, [&] { pinocchio::rnea(model, data, tree.q, tree.v, tau); });
  std::printf("{\"derivative_norms\": [%.12g, %.12g], ", data.ddq_dq.norm(), data.ddq_dv.norm());
  std::printf("\"aba_us\": %.6g, \"run_us\": %.6g, \"derivatives_us\": %.6g, \"inverse_us\": %.6g, \"convention\": \"%s\"",
              std::min(aba[0], aba[1]), std::min(run[0], run[1]), derivatives, rnea, aba[0] <= aba[1] ? "local" : "world");
  print("accelerations", a);
  print("speeds", end_v);
  std::printf("}\n");
}
