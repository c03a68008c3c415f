// points_gl.js: draws the same dots as raster.js on the graphics card: any number of them, smoothly.

const VERTEX = `
attribute float x, y;
attribute vec4 colour;
uniform vec2 origin, size;
uniform float scale, front;
uniform mediump float radius;
varying vec3 rgb;
varying float ring;
void main() {
    vec2 pixel = floor(vec2(origin.x + x * scale, origin.y - y * scale) + 0.5) + 0.5;
    bool mine = (colour.a > 0.5) == (front > 0.5);
    gl_Position = mine ? vec4(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 2.0 * ceil(radius) + 1.0;
    rgb = colour.rgb;
    ring = abs(colour.a - 0.5) < 0.4 ? 1.0 : 0.0;
}`;

const FRAGMENT = `
precision mediump float;
uniform mediump float radius;
uniform float strength;
varying vec3 rgb;
varying float ring;
void main() {
    float side = 2.0 * ceil(radius) + 1.0;
    float far = length((gl_PointCoord - 0.5) * side);
    float cover = clamp(radius + 0.5 - far, 0.0, 1.0) * strength;
    if (ring > 0.5) cover *= clamp(far - 0.6 * radius + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    gl_FragColor = vec4(rgb * cover, cover);
}`;

/* Whether WebGL is emulated in software, which takes half a second for what raster.js draws in a few milliseconds. */
function isSoftware(gl) {
    const words = gl.getExtension('WEBGL_debug_renderer_info');
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(gl.getParameter(words ? words.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

export class PointsGl {
    /* Throws if there is no WebGL, or only a slow one, unless `evenSlow` is set. */
    constructor(evenSlow = false) {
        this.canvas = document.createElement('canvas');
        const gl = this.canvas.getContext('webgl', {alpha: true, premultipliedAlpha: true, antialias: false, depth: false,
            failIfMajorPerformanceCaveat: !evenSlow});
        if (!gl) throw new Error('WebGL is not available');
        if (!evenSlow && isSoftware(gl)) throw new Error('WebGL runs without a graphics card');
        this.gl = gl;
        const program = gl.createProgram();
        for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
        gl.useProgram(program);
        this.program = program;
        this.kept = {};
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    }

    resize(width, height) {
        if (this.canvas.width === width && this.canvas.height === height) return;
        this.canvas.width = width;
        this.canvas.height = height;
        this.gl.viewport(0, 0, width, height);
    }

    /* Sends an array to the card, unless the card has it. */
    attribute(name, source, key, size, type, normalised) {
        const gl = this.gl, at = gl.getAttribLocation(this.program, name), kept = this.kept[name] ??= {buffer: gl.createBuffer()};
        gl.bindBuffer(gl.ARRAY_BUFFER, kept.buffer);
        if (kept.key !== key) gl.bufferData(gl.ARRAY_BUFFER, source(), gl.STATIC_DRAW);
        kept.key = key;
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, size, type, normalised, 0, 0);
    }

    points(xs, ys, rgb, {ox, oy, scale, radius, rings, ids, front, faint}) {
        const gl = this.gl, uniform = (name) => gl.getUniformLocation(this.program, name);
        if (this.rgb !== rgb || this.front !== front) this.colours = {};
        this.rgb = rgb;
        this.front = front;
        this.attribute('x', () => xs, xs, 1, gl.FLOAT, false);
        this.attribute('y', () => ys, ys, 1, gl.FLOAT, false);
        this.attribute('colour', () => {
            const four = new Uint8Array(4 * xs.length);
            for (let i = 0; i < xs.length; i++) {
                for (let c = 0; c < 3; c++) four[4 * i + c] = rgb[3 * i + c];
                const ring = rings?.[i] === 1;    // of the alpha: at the front 255 or 160, else 0 or 95
                four[4 * i + 3] = front === null || ids[i] === front ? (ring ? 160 : 255) : ring ? 95 : 0;
            }
            return four;
        }, this.colours, 4, gl.UNSIGNED_BYTE, true);
        gl.uniform2f(uniform('origin'), ox, oy);
        gl.uniform2f(uniform('size'), this.canvas.width, this.canvas.height);
        gl.uniform1f(uniform('scale'), scale);
        gl.uniform1f(uniform('radius'), radius);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        for (const mine of front === null ? [1] : [0, 1]) {
            gl.uniform1f(uniform('front'), mine);
            gl.uniform1f(uniform('strength'), mine ? 0.82 : faint);
            gl.drawArrays(gl.POINTS, 0, xs.length);
        }
    }
}
