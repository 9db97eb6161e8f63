/** Owns the media types that the gateway speaks. */

/** JSON twin. */
export const JSON_MEDIA_TYPE = 'application/json'
/** Frames of the codec. */
export const CODEC_MEDIA_TYPE = 'application/x-codec'
/** Metrics, exposition format 0.0.4. */
export const EXPOSITION_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** Server-Sent Events. */
export const EVENT_STREAM_MEDIA_TYPE = 'text/event-stream'
/** How it stands in a response. */
export const EVENT_STREAM_CONTENT_TYPE = `${EVENT_STREAM_MEDIA_TYPE}; charset=utf-8`
