/** Owns the framing of messages from the node (RFC 6455, section 5.2): unmasked, whole, so that all readers share the bytes. */

const FINAL = 0x80
const TEXT = 0x1
const BINARY = 0x2
/** Maximum payload lengths that fit into the second byte, and into the two bytes after it. */
const SHORT_MAX = 125
const MEDIUM_MAX = 0xffff
const MEDIUM = 126
const LONG = 127

function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = length <= SHORT_MAX ? 2 : length <= MEDIUM_MAX ? 4 : 10
  const bytes = Buffer.allocUnsafe(head + length)
  bytes[0] = FINAL | opcode
  if (head === 2) bytes[1] = length
  else if (head === 4) {
    bytes[1] = MEDIUM
    bytes.writeUInt16BE(length, 2)
  } else {
    bytes[1] = LONG
    bytes.writeUInt32BE(0, 2)
    bytes.writeUInt32BE(length, 6)
  }
  bytes.set(payload, head)
  return bytes
}

/** A text frame. */
export const textFrame = (text: string): Buffer => frame(TEXT, Buffer.from(text))
/** A binary frame. */
export const binaryFrame = (payload: Uint8Array): Buffer => frame(BINARY, payload)
