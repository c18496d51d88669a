// SPDX-License-Identifier: MIT
#include "show/gl/shaders.hpp"

namespace sinew::show::shaders {

namespace {

constexpr const char* version = "#version 430 core\n";

// The same order as deform::run: blend, then the sum of the weighted maps, then normals by the cofactor matrix.
constexpr const char* deforming = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 texcoord;  // the third of a volume
layout(location = 3) in vec4 color;
layout(location = 4) in float heat;

layout(std430, binding = 0) readonly buffer Palette { vec4 columns[]; };  // four of each map
layout(std430, binding = 1) readonly buffer InfluenceFirst { uint influence_first[]; };
layout(std430, binding = 2) readonly buffer Influences { uvec2 influences[]; };  // slot, weight
layout(std430, binding = 3) readonly buffer OffsetFirst { uint offset_first[]; };
layout(std430, binding = 4) readonly buffer OffsetsOf { vec4 offsets[]; };  // two of each: shape and position, normal
layout(std430, binding = 5) readonly buffer Amounts { float amounts[]; };

uniform mat4 clip_from_seen;
uniform float scale;  // seen = world · scale − origin: about 1 large, about the origin
uniform vec3 origin;
uniform bool skinned;
uniform bool blended;
uniform int node_map;

out Vertex {
  vec3 seen;
  vec3 normal;
  vec3 texcoord;
  vec4 color;
  float heat;
} to;

void main() {
  vec3 p = position, n = normal;
  if (blended)
    for (uint i = offset_first[gl_VertexID]; i < offset_first[gl_VertexID + 1]; ++i) {
      float amount = amounts[floatBitsToUint(offsets[2 * i].x)];
      p += amount * offsets[2 * i].yzw;
      n += amount * offsets[2 * i + 1].xyz;
    }
  vec3 map[4];
  if (skinned) {
    for (int c = 0; c < 4; ++c) map[c] = vec3(0);
    for (uint i = influence_first[gl_VertexID]; i < influence_first[gl_VertexID + 1]; ++i)
      for (int c = 0; c < 4; ++c) map[c] += uintBitsToFloat(influences[i].y) * columns[influences[i].x * 4 + c].xyz;
  } else {
    for (int c = 0; c < 4; ++c) map[c] = columns[node_map * 4 + c].xyz;
  }
  to.seen = (map[0] * p.x + map[1] * p.y + map[2] * p.z + map[3]) * scale - origin;
  vec3 moved = cross(map[1], map[2]) * n.x + cross(map[2], map[0]) * n.y + cross(map[0], map[1]) * n.z;
  float size = length(moved);
  to.normal = size > 0 ? moved / size : n;
  to.texcoord = texcoord;
  to.color = color;
  to.heat = heat;
  gl_Position = clip_from_seen * vec4(to.seen, 1);
}
)";

// Lighting: a sky, a ground and one lamp over the viewer's left shoulder, so that shapes are readable from every side.
constexpr const char* lighting = R"(
uniform vec3 eye;      // in what is seen
uniform vec3 lamp;     // towards it
uniform vec3 up;       // of the world

vec3 lit(vec3 base, vec3 n, vec3 to_eye) {
  vec3 sky = mix(vec3(0.20, 0.18, 0.17), vec3(0.46, 0.48, 0.52), 0.5 + 0.5 * dot(n, up));
  float key = max(dot(n, lamp), 0.0);
  float shine = pow(max(dot(n, normalize(lamp + to_eye)), 0.0), 40.0);
  return base * (sky + 0.62 * key) + vec3(0.05) * shine;
}
)";

constexpr const char* surfaces = R"(
in Vertex {
  vec3 seen;
  vec3 normal;
  vec3 texcoord;
  vec4 color;
  float heat;
} from;

uniform vec4 base;
uniform bool smooth_normals;
uniform bool unlit;
uniform bool textured;
uniform bool in_volume;
uniform bool heat_map;
uniform mat3 texture_from_texcoord;
uniform int alpha_mode;  // opaque, mask, blend
uniform float cutoff;
uniform sampler2D picture;
uniform sampler3D volume;
uniform vec3 heat_colors[16];

out vec4 color;

void main() {
  vec4 own = base * from.color;
  if (textured) own *= texture(picture, (texture_from_texcoord * vec3(from.texcoord.xy, 1)).xy);
  if (in_volume) own *= texture(volume, from.texcoord);
  if (heat_map) {
    float at = clamp(from.heat, 0.0, 1.0) * 15.0;
    int below = min(int(at), 14);
    own = vec4(mix(heat_colors[below], heat_colors[below + 1], at - float(below)), 1);
  }
  if (alpha_mode == 0) own.a = 1.0;
  if (alpha_mode == 1) {
    if (own.a < cutoff) discard;
    own.a = 1.0;
  }
  vec3 to_eye = normalize(eye - from.seen);
  vec3 flat_normal = normalize(cross(dFdx(from.seen), dFdy(from.seen)));
  if (dot(flat_normal, to_eye) < 0.0) flat_normal = -flat_normal;
  vec3 n = flat_normal;
  if (smooth_normals && dot(from.normal, from.normal) > 0.0) {
    n = normalize(from.normal);
    if (dot(n, flat_normal) < 0.0) n = -n;  // the side that is seen
  }
  vec3 shown = unlit ? own.rgb : lit(own.rgb, n, to_eye);
  color = vec4(shown * own.a, own.a);
}
)";

// Lines and points with a width in pixels.
constexpr const char* thickening = R"(
in Vertex {
  vec3 seen;
  vec3 normal;
  vec3 texcoord;
  vec4 color;
  float heat;
} from[];
out Piece {
  vec4 color;
  vec2 at;
} to;

uniform vec2 pixels;   // of the picture
uniform float width;   // in pixels
uniform float nearer;  // of the depth: how far lines stand out of the surface that they lie on
)";

constexpr const char* lines = R"(
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

void main() {
  vec4 a = gl_in[0].gl_Position, b = gl_in[1].gl_Position;
  if (a.w <= 0 || b.w <= 0) return;
  vec2 pa = a.xy / a.w * pixels / 2, pb = b.xy / b.w * pixels / 2;
  vec2 along = pb - pa;
  float size = length(along);
  along = size > 1e-6 ? along / size : vec2(1, 0);
  vec2 across = vec2(-along.y, along.x) * width / 2;
  vec2 cap = along * width / 2;
  for (int k = 0; k < 4; ++k) {
    bool end = k >= 2;
    vec4 p = end ? b : a;
    vec2 shift = (k % 2 == 0 ? across : -across) + (end ? cap : -cap);
    gl_Position = vec4(p.xy + shift * 2 / pixels * p.w, p.z - nearer * p.w, p.w);
    to.color = from[end ? 1 : 0].color;
    to.at = vec2(0);
    EmitVertex();
  }
  EndPrimitive();
}
)";

constexpr const char* points = R"(
layout(points) in;
layout(triangle_strip, max_vertices = 16) out;

void main() {
  vec4 p = gl_in[0].gl_Position;
  if (p.w <= 0) return;
  for (int k = 0; k < 16; ++k) {
    // Round about a regular polygon: 0, 1, 15, 2, 14, …
    int corner = k == 0 ? 0 : (k % 2 == 1 ? (k + 1) / 2 : 16 - k / 2);
    float angle = 6.28318530718 * float(corner) / 16.0;
    to.at = vec2(cos(angle), sin(angle));
    to.color = from[0].color;
    gl_Position = vec4(p.xy + to.at * width / pixels * p.w, p.z - nearer * p.w, p.w);
    EmitVertex();
  }
  EndPrimitive();
}
)";

constexpr const char* pieces = R"(
in Piece {
  vec4 color;
  vec2 at;
} from;

uniform vec4 base;
uniform bool balls;
uniform vec3 camera_right, camera_up, camera_back;

out vec4 color;

void main() {
  vec4 own = base * from.color;
  if (balls) {
    vec3 n = vec3(from.at, sqrt(max(1.0 - dot(from.at, from.at), 0.0)));
    own.rgb = lit(own.rgb, normalize(camera_right * n.x + camera_up * n.y + camera_back * n.z), camera_back);
  }
  color = vec4(own.rgb * own.a, own.a);
}
)";

}  // namespace

std::string vertex() { return std::string(version) + deforming; }
std::string surface() { return std::string(version) + lighting + surfaces; }
std::string thick_lines() { return std::string(version) + thickening + lines; }
std::string discs() { return std::string(version) + thickening + points; }
std::string thick_fragment() { return std::string(version) + lighting + pieces; }

}  // namespace sinew::show::shaders
