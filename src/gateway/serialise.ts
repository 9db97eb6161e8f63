/** Owns the encoding of successful responses: a frame, the JSON form, or the output of the handler. */
import { type AnyRoute, CODEC_MEDIA_TYPE, EXPOSITION_MEDIA_TYPE, JSON_MEDIA_TYPE } from '../api/index.js'
import type { CodecContext } from '../codec/index.js'
import { JSON_CONTENT_TYPE } from './answer.js'

/**
 * Content type and bytes. Throws an Error if the value does not match the record of the route, which is a bug of the
 * handler.
 */
export function serialise(
  row: AnyRoute,
  answerType: string,
  value: unknown,
  codec: CodecContext,
): { readonly type: string; readonly bytes: Buffer } {
  if (answerType === CODEC_MEDIA_TYPE && row.frame !== undefined) {
    return { type: CODEC_MEDIA_TYPE, bytes: row.frame.seal(value as never, codec) }
  }
  const render = row.renders?.[answerType]
  if (render !== undefined) {
    return { type: `${answerType}; charset=utf-8`, bytes: Buffer.from(render(value as never)) }
  }
  if (row.response !== undefined) {
    const json = row.response.toJson(value as never, codec)
    return { type: JSON_CONTENT_TYPE, bytes: Buffer.from(JSON.stringify(json)) }
  }
  const finished = value as string | Uint8Array
  const bytes = typeof finished === 'string' ? Buffer.from(finished) : Buffer.from(finished)
  return { type: answerType === JSON_MEDIA_TYPE ? JSON_CONTENT_TYPE : EXPOSITION_MEDIA_TYPE, bytes }
}
