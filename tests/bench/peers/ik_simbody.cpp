// SPDX-License-Identifier: MIT
// Simbody's Assembler with a Markers goal, driven as OpenSim's InverseKinematicsTool drives it:
// assemble() at the first frame, track() at each following one. Built by ik.sh.
//
//     ik_simbody FOLDER [ACCURACY]      prints "frames_per_s rms_mm"
//
// Thread CPU time of the solve alone; reading and scoring are outside.
#include "Simbody.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace SimTK;

namespace
{
struct Named {
    std::string name;
    int index;
    Vec3 at;
};

FILE *open_file(const std::string &folder, const char *name)
{
    FILE *f = std::fopen((folder + "/" + name).c_str(), "r");
    if (!f) {
        std::perror(name);
        std::exit(1);
    }
    return f;
}

// "name index x y z" rows under a comment and a count
std::vector<Named> read_table(const std::string &folder, const char *name)
{
    FILE *f = open_file(folder, name);
    char line[512], text[64];
    int count = 0, index;
    double x, y, z;
    std::vector<Named> rows;
    if (std::fgets(line, sizeof line, f) && std::fscanf(f, "%d", &count) == 1) {
        while (count-- > 0 &&
               std::fscanf(f, "%63s %d %lf %lf %lf", text, &index, &x, &y, &z) == 5) {
            rows.push_back({ text, index, Vec3(x, y, z) });
        }
    }
    std::fclose(f);
    return rows;
}

// rows of numbers after the frame and time cells
std::vector<std::vector<double>> read_csv(const std::string &folder, const char *name)
{
    FILE *f = open_file(folder, name);
    std::vector<std::vector<double>> rows;
    char *line = nullptr;
    size_t capacity = 0;
    for (bool head = true; getline(&line, &capacity, f) > 0; head = false) {
        if (head) {
            continue;
        }
        std::vector<double> row;
        char *p = line;
        for (int i = 0;; i++) {
            char *end;
            const double value = std::strtod(p, &end);
            if (end == p) {
                break;
            }
            if (i >= 2) {
                row.push_back(value);
            }
            p = *end == ',' ? end + 1 : end;
        }
        rows.push_back(row);
    }
    std::free(line);
    std::fclose(f);
    return rows;
}

double cpu_s()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "ik_simbody FOLDER [ACCURACY]\n");
        return 2;
    }
    const std::string folder = argv[1];
    const std::vector<Named> joints = read_table(folder, "skeleton.txt");
    const std::vector<Named> markers = read_table(folder, "marker_set.txt");
    const std::vector<std::vector<double>> measured = read_csv(folder, "markers.csv");
    const std::vector<double> truth = read_csv(folder, "truth_quats.csv").at(0);

    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    const Body::Rigid body(MassProperties(1.0, Vec3(0), Inertia(1)));
    std::vector<MobilizedBody> mobile;
    for (const Named &joint : joints) {
        if (joint.index < 0) {
            mobile.push_back(
                MobilizedBody::Free(matter.updGround(), Transform(), body, Transform()));
        } else {
            mobile.push_back(MobilizedBody::Ball(mobile[size_t(joint.index)], Transform(joint.at),
                                                 body, Transform()));
        }
    }
    system.realizeTopology();
    State state = system.getDefaultState();
    matter.setUseEulerAngles(state, false);
    system.realizeModel(state);

    Assembler ik(system);
    Markers *goal = new Markers();
    for (const Named &marker : markers) {
        goal->addMarker(marker.name, mobile[size_t(marker.index)].getMobilizedBodyIndex(),
                        marker.at, 1.0);
    }
    ik.adoptAssemblyGoal(goal, 1.0);
    goal->defineObservationOrder(Array_<String>());
    ik.setAccuracy(argc > 2 ? std::atof(argv[2]) : 1e-5);

    for (size_t j = 0; j < joints.size(); j++) { // both solvers start from the first true pose
        const double *q = &truth[3 + 4 * j];
        const Vec3 at = j ? Vec3(0) : Vec3(truth[0], truth[1], truth[2]);
        mobile[j].setQToFitTransform(
            state, Transform(Rotation(Quaternion(Vec4(q[0], q[1], q[2], q[3]))), at));
    }
    ik.setInternalState(state);
    ik.initialize();

    Array_<Vec3> observed(int(markers.size()));
    double seconds = 0.0, square = 0.0;
    for (size_t f = 0; f < measured.size(); f++) {
        for (size_t m = 0; m < markers.size(); m++) {
            const double *p = &measured[f][3 * m];
            observed[int(m)] = Vec3(p[0], p[1], p[2]);
        }
        const double start = cpu_s();
        goal->moveAllObservations(observed);
        if (f == 0) {
            ik.assemble();
        }
        ik.track(double(f) / 120.0);
        seconds += cpu_s() - start;
        ik.updateFromInternalState(state);
        system.realize(state, Stage::Position);
        for (size_t m = 0; m < markers.size(); m++) {
            const Vec3 x =
                mobile[size_t(markers[m].index)].findStationLocationInGround(state, markers[m].at);
            square += (x - observed[int(m)]).normSqr();
        }
    }
    const double count = double(measured.size() * markers.size());
    std::printf("%.3f %.6f\n", double(measured.size()) / seconds, 1e3 * std::sqrt(square / count));
    return 0;
}
