/** Owns the truncation of display texts to the size of a record. */

/** Text within a number of UTF-8 bytes; lone surrogates become U+FFFD. */
export function clipText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return bytes.toString('utf8')
  let end = maxBytes
  // Not inside a character: its further bytes are 10xxxxxx.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
