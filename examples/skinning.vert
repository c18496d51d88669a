#version 330 core
// Moves a vertex with up to four joints, as the glTF tutorial's chapter on vertex skinning does.
uniform mat4 joint_matrices[64];  // what `sinew info --palette --json` prints
uniform mat4 clip_from_world;     // the camera

in vec3 position;  // POSITION
in uvec4 joints;   // JOINTS_0
in vec4 weights;   // WEIGHTS_0

out vec3 world_position;

void main() {
  mat4 skin_matrix = weights.x * joint_matrices[joints.x] + weights.y * joint_matrices[joints.y] +
                     weights.z * joint_matrices[joints.z] + weights.w * joint_matrices[joints.w];
  world_position = (skin_matrix * vec4(position, 1)).xyz;
  gl_Position = clip_from_world * vec4(world_position, 1);
}
