/** Owns the first gate: the conversion of body bytes to text, from UTF-8 only. */
import { FaultList, type FaultStage, type IsoFault, WHOLE_BODY } from '../fault.js'
import { MAX_BODY_BYTES } from '../limits.js'

/** Text of a body, or the faults of the stage that refused it. */
export type DecodeResult = { ok: true; text: string } | { ok: false; stage: FaultStage; faults: IsoFault[] }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Maximum offset at which the XML declaration must have ended, in bytes. */
const DECLARATION_BYTES = 256

/**
 * Decode a body. Refused: empty, above the limit, UTF-16 or UTF-32 by byte order mark or by zero bytes, a declared
 * encoding other than UTF-8 or US-ASCII, and byte sequences that are not UTF-8 (RFC 3629). A UTF-8 byte order mark is
 * removed.
 */
export function decodeBody(bytes: Uint8Array, maxBytes = MAX_BODY_BYTES): DecodeResult {
  const faults = new FaultList()
  const refuse = (stage: FaultStage, code: string, value: string, expected: string, hint: string): DecodeResult => {
    faults.add({ code, path: '/', at: WHOLE_BODY, value, expected, hint })
    return { ok: false, stage, faults: faults.list() }
  }
  if (bytes.length > maxBytes) {
    return refuse(
      'size',
      'body_too_large',
      `${bytes.length} bytes`,
      `at most ${maxBytes} bytes`,
      'Send one payment per message.',
    )
  }
  const first = bytes[0]
  const second = bytes[1]
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) {
    return refuse('encoding', 'encoding_utf16', 'UTF-16 byte order mark', 'UTF-8', 'Save the message as UTF-8.')
  }
  if (bytes.includes(0)) {
    return refuse(
      'encoding',
      'encoding_zero_byte',
      'zero byte',
      'UTF-8 text',
      'The body looks like UTF-16 or binary; save it as UTF-8.',
    )
  }
  const hasMark = first === 0xef && second === 0xbb && bytes[2] === 0xbf
  const content = hasMark ? bytes.subarray(3) : bytes
  const declared = declaredEncoding(content)
  if (declared !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(declared)) {
    return refuse(
      'encoding',
      'encoding_declared',
      declared,
      'UTF-8',
      'Save the message as UTF-8 and declare encoding="UTF-8".',
    )
  }
  let text: string
  try {
    text = decoder.decode(content)
  } catch {
    return refuse(
      'encoding',
      'encoding_invalid_utf8',
      badBytes(content),
      'UTF-8',
      'Save the message as UTF-8; it looks like ISO-8859-1 or was cut.',
    )
  }
  if (!/[^ \t\r\n]/.test(text))
    return refuse('malformed', 'empty_body', '', 'an ISO 20022 message', 'The body is empty.')
  return { ok: true, text }
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, DECLARATION_BYTES)).toString('latin1')
  return /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1]
}

/** Name the first byte that is not UTF-8, with its offset. */
function badBytes(bytes: Uint8Array): string {
  let low = 0
  let high = bytes.length
  // The longest prefix that decodes (an unfinished last sequence is allowed) ends at the fault.
  const decodes = (length: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true })
      return true
    } catch {
      return false
    }
  }
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (decodes(middle)) low = middle
    else high = middle - 1
  }
  return low < bytes.length ? `byte 0x${bytes[low]?.toString(16)} at offset ${low}` : 'incomplete last character'
}
