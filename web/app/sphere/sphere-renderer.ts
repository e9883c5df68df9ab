import type { Size } from '#shared/domain/raster';
import { focalOf, type Scene } from './sphere-geometry';

const VERTEX = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** As `toPanorama`. */
const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D panorama;
uniform vec2 middle;
uniform float focal;
uniform vec2 look;
out vec4 colour;
const float PI = 3.14159265358979;
void main() {
  vec2 at = (gl_FragCoord.xy - middle) / focal;
  float level = cos(look.y) - at.y * sin(look.y);
  float longitude = atan(at.x, level) + look.x;
  float latitude = atan(at.y * cos(look.y) + sin(look.y), length(vec2(at.x, level)));
  colour = texture(panorama, vec2(fract(longitude / (2.0 * PI) + 0.5), 0.5 - latitude / PI));
}`;

/** Larger textures are refused by small graphics processors, and show no more on a screen. */
const MAX_TEXTURE_PX = 8192;

const compile = (gl: WebGL2RenderingContext): WebGLProgram => {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('The graphics processor makes no shader.');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error('The shaders do not compile.');
  return program;
};

const textureOf = (gl: WebGL2RenderingContext): WebGLTexture => {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.REPEAT);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
};

const bitmapOf = async (url: string, { width, height }: Size, maxPx: number): Promise<ImageBitmap> => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = Math.min(1, maxPx / Math.max(width, height));
  return createImageBitmap(image, {
    resizeWidth: Math.round(width * scale),
    resizeHeight: Math.round(height * scale),
  });
};

/** A frame of a video, made smaller where the graphics processor needs that. */
const frameOf = (video: HTMLVideoElement, maxPx: number): HTMLVideoElement | OffscreenCanvas => {
  const { videoWidth: width, videoHeight: height } = video;
  const scale = maxPx / Math.max(width, height);
  if (scale >= 1) return video;
  const smaller = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  smaller.getContext('2d')?.drawImage(video, 0, 0, smaller.width, smaller.height);
  return smaller;
};

/** Draws views into a panorama. */
export interface SphereRenderer {
  /** Reads another image. @throws if it cannot be decoded */
  show(url: string, size: Size): Promise<void>;
  /** Reads the frame that a video shows. */
  showFrame(video: HTMLVideoElement): void;
  draw(scene: Scene, scale: number): void;
  release(): void;
}

/**
 * One triangle and one shader, which maps each px of the screen to the panorama.
 *
 * @returns undefined where the browser has no WebGL 2, or has lost its context
 */
export const createSphereRenderer = (canvas: HTMLCanvasElement): SphereRenderer | undefined => {
  const gl = canvas.getContext('webgl2', { antialias: false, preserveDrawingBuffer: true });
  if (!gl || gl.isContextLost()) return undefined;
  const program = compile(gl);
  gl.useProgram(program);
  const texture = textureOf(gl);
  const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const [middle, focal, look] = [uniform('middle'), uniform('focal'), uniform('look')];
  const maxPx = Math.min(MAX_TEXTURE_PX, gl.getParameter(gl.MAX_TEXTURE_SIZE) as number);
  return {
    show: async (url, size) => {
      const bitmap = await bitmapOf(url, size, maxPx);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
      bitmap.close();
    },
    showFrame: (video) =>
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, frameOf(video, maxPx)),
    draw: (scene, scale) => {
      canvas.width = Math.round(scene.stage.width * scale);
      canvas.height = Math.round(scene.stage.height * scale);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.uniform2f(middle, canvas.width / 2, canvas.height / 2);
      gl.uniform1f(focal, focalOf(scene) * scale);
      gl.uniform2f(look, scene.camera.yaw, scene.camera.pitch);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    // Not its context: the same canvas may be drawn on again.
    release: () => {
      gl.deleteTexture(texture);
      gl.deleteProgram(program);
    },
  };
};
