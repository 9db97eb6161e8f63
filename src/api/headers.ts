/** Owns the response headers in addition to standard HTTP, and the media types of the gateway. */

/** Error code, which the error record also contains. */
export const REJECT_CODE_HEADER = 'x-ledger-reject-code'

/** Lane of an admitted transaction. */
export const LANE_HEADER = 'x-ledger-lane-id'
export const DATASPACE_HEADER = 'x-ledger-dataspace-id'

/** Rate limit that refused a request: burst size, remaining requests, seconds until a retry. */
export const RATE_LIMIT_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const

/** Media type of the JSON form of records. */
export const JSON_MEDIA_TYPE = 'application/json'
/** Media type of codec frames. */
export const CODEC_MEDIA_TYPE = 'application/x-codec'
/** Media type of metrics, exposition format 0.0.4. */
export const EXPOSITION_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** Media type of Server-Sent Events. */
export const EVENT_STREAM_MEDIA_TYPE = 'text/event-stream'
/** Content type of Server-Sent Events in a response. */
export const EVENT_STREAM_CONTENT_TYPE = `${EVENT_STREAM_MEDIA_TYPE}; charset=utf-8`
