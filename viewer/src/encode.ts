// Pictures of a film, encoded by the browser (WebCodecs): H.264, each after those that it needs.

/** Bits for each pixel of each picture. */
const BITS = 0.12, LEAST_BITS = 5e5;
/** Time from one picture that stands for itself to the next (s): as far as a player has to look back. */
const WHOLE = 2;
/** Pictures that may wait for the encoder. */
const WAITING = 4;
/** Constrained baseline up to 720p, high profile up to 1080p and 2160p. */
const CODECS = ["avc1.42E01F", "avc1.640028", "avc1.640033"];

/** What a picture is to the program (crates/flexura-cli/src/view/mp4_film.rs). */
const NEEDS_OTHERS = 0, STANDS_ALONE = 1, DESCRIPTION = 2;

type Send = (bytes: Uint8Array) => Promise<void>;

/** Encodes pictures of a canvas and sends them, in their order. */
export class FilmEncoder {
  private failure: unknown = null;
  private sent: Promise<void> = Promise.resolve();
  private number = 0;
  private last = -1;

  private constructor(private readonly encoder: VideoEncoder, private readonly rate: number) {}

  /** An encoder, or words for what is missing. */
  static async open(width: number, height: number, rate: number, send: Send): Promise<FilmEncoder> {
    if (typeof VideoEncoder === "undefined") throw new Error("this browser encodes no films; take --gif or --film");
    const bitrate = Math.max(LEAST_BITS, BITS * width * height * rate);
    for (const codec of CODECS) {
      // Without a delay, pictures depend on earlier ones alone.
      const wish: VideoEncoderConfig = { codec, width, height, framerate: rate, bitrate, latencyMode: "realtime", avc: { format: "avc" } };
      if (!(await VideoEncoder.isConfigSupported(wish)).supported) continue;
      let own: FilmEncoder | null = null;
      const encoder = new VideoEncoder({ output: (chunk, about) => own?.take(chunk, about, send), error: (error) => own && (own.failure = error) });
      encoder.configure(wish);
      return (own = new FilmEncoder(encoder, rate));
    }
    throw new Error(`this browser has no H.264 encoder for pictures of ${width} by ${height} pixels; take --gif or --film, or smaller ones`);
  }

  private take(chunk: EncodedVideoChunk, about: EncodedVideoChunkMetadata | undefined, send: Send): void {
    if (chunk.timestamp <= this.last) this.failure = new Error("the encoder of this browser changes the order of pictures; take --gif or --film");
    this.last = chunk.timestamp;
    const later = (kind: number, bytes: Uint8Array) => {
      const message = new Uint8Array(bytes.length + 1);
      message[0] = kind;
      message.set(bytes, 1);
      this.sent = this.sent.then(() => send(message)).catch((error) => void (this.failure = error));
    };
    const description = about?.decoderConfig?.description;
    if (description && chunk.type === "key") later(DESCRIPTION, bytesIn(description));
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    later(chunk.type === "key" ? STANDS_ALONE : NEEDS_OTHERS, bytes);
  }

  /** Takes the next picture. */
  async add(canvas: HTMLCanvasElement): Promise<void> {
    const microseconds = (number: number) => Math.round((1e6 * number) / this.rate);
    const timestamp = microseconds(this.number), duration = microseconds(this.number + 1) - timestamp;
    const frame = new VideoFrame(canvas, { timestamp, duration });
    this.encoder.encode(frame, { keyFrame: this.number % Math.max(1, Math.round(WHOLE * this.rate)) === 0 });
    frame.close();
    this.number++;
    while (this.encoder.encodeQueueSize > WAITING && !this.failure) await new Promise((done) => setTimeout(done, 1));
    if (this.failure) throw this.failure;
  }

  /** Waits until everything is sent. */
  async end(): Promise<void> {
    await this.encoder.flush();
    await this.sent;
    if (this.failure) throw this.failure;
  }
}

function bytesIn(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}
