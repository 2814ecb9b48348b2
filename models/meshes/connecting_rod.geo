// A connecting rod of steel, its bores along y and 0.14 m apart. Metres.
//   gmsh -3 connecting_rod.geo
SetFactory("OpenCASCADE");
L = 0.14;
Box(1) = {0, -0.008, -0.009, L, 0.016, 0.018};    // shank
Cylinder(2) = {0, -0.011, 0, 0, 0.022, 0, 0.030};    // big end
Cylinder(3) = {L, -0.011, 0, 0, 0.022, 0, 0.016};    // small end
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2, 3}; Delete; };
Cylinder(5) = {0, -0.02, 0, 0, 0.04, 0, 0.022};    // bore of the crankpin
Cylinder(6) = {L, -0.02, 0, 0, 0.04, 0, 0.010};    // bore of the wristpin
Box(7) = {0.038, 0.003, -0.005, 0.08, 0.02, 0.01};    // pockets: the shank is an I
Box(8) = {0.038, -0.023, -0.005, 0.08, 0.02, 0.01};
BooleanDifference(9) = { Volume{4}; Delete; }{ Volume{5, 6, 7, 8}; Delete; };

Physical Volume("rod") = {9};
r = 0.023;
Physical Surface("big_bore") = Surface In BoundingBox{-r, -0.012, -r, r, 0.012, r};
s = 0.011;
Physical Surface("small_bore") = Surface In BoundingBox{L - s, -0.012, -s, L + s, 0.012, s};

Mesh.MeshSizeMax = 0.012;
Mesh.MeshSizeFromCurvature = 12;    // elements around a circle
Mesh.ElementOrder = 2;    // ten nodes: four are too stiff
Mesh.HighOrderOptimize = 1;
