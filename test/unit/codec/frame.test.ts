/** Owns the tests of the frame. */
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeFrame, encodeFrame, frameOf, readFrameHeader, string, struct, u8 } from '../../../src/codec/index.js'

const note = struct('Note', { text: string(20), flag: u8 })
const other = struct('Other', { text: string(20), flag: u8 })
const frames = frameOf(0x0203, note)
const value = { text: 'hello', flag: 1 }
const summed = { checksum: true }
const bare = { checksum: false }

const changed = (bytes: Buffer, at: number, byte: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = byte
  return copy
}

describe('frame', () => {
  test('has the layout given on the reference page', () => {
    const frame = frames.seal(value)
    const payload = note.encode(value)
    expect(frame.subarray(0, 4).toString()).toBe('CWY1')
    expect([...frame.subarray(4, 8)]).toEqual([1, 0, 3, 2])
    expect(frame.subarray(8, 24)).toEqual(note.hash)
    expect(frame.readUInt32LE(24)).toBe(payload.length)
    expect(frame.readUInt32LE(28)).toBe(crc32(payload))
    expect(frame.subarray(32)).toEqual(payload)
    expect(frames.open(frame)).toEqual({ ok: true, value })
    expect(frames.open(frames.seal(value, undefined, bare), undefined, bare)).toEqual({ ok: true, value })
    expect(frames.wrap(payload)).toEqual(frame)
  })

  const frame = frames.seal(value)
  test.each([
    ['bad_magic', changed(frame, 0, 0x44)],
    ['bad_magic', Buffer.from('CX')],
    ['truncated', Buffer.alloc(0)],
    ['truncated', frame.subarray(0, 31)],
    ['truncated', frame.subarray(0, frame.length - 1)],
    ['trailing_bytes', Buffer.concat([frame, Buffer.of(0)])],
    ['unsupported_version', changed(frame, 4, 2)],
    ['unsupported_version', changed(frame, 5, 1)],
    ['schema_mismatch', changed(frame, 6, 4)],
    ['schema_mismatch', changed(frame, 8, frame[8]! ^ 1)],
    ['schema_mismatch', encodeFrame(0x0203, other, note.encode(value), summed)],
    ['out_of_bounds', changed(frame, 27, 0xff)],
    ['bad_checksum', changed(frame, 28, frame[28]! ^ 1)],
    ['bad_checksum', changed(frame, frame.length - 1, 9)],
  ])('is refused with %s', (code, bytes) => {
    expect(frames.open(bytes)).toMatchObject({ ok: false, fault: { code } })
  })

  test('is refused if its checksum is not the expected one', () => {
    expect(decodeFrame(frame, bare)).toMatchObject({ fault: { code: 'bad_checksum' } })
    expect(readFrameHeader(frame, bare)).toMatchObject({ fault: { code: 'bad_checksum' } })
  })

  test('is read from a stream with its header first', () => {
    const header = readFrameHeader(frame.subarray(0, 32), summed)
    expect(header).toMatchObject({ ok: true, value: { typeId: 0x0203, length: frame.length - 32 } })
    expect(readFrameHeader(frame, { ...summed, maxBytes: 3 })).toMatchObject({ fault: { code: 'out_of_bounds' } })
    expect(() => encodeFrame(1, note, Buffer.alloc(4), { ...summed, maxBytes: 3 })).toThrow('the limit of 3')
    expect(() => encodeFrame(0x10000, note, Buffer.alloc(4), summed)).toThrow('type id')
  })

  test('reports payload faults at offsets from the start of the frame', () => {
    const broken = encodeFrame(0x0203, note, Buffer.from('0168', 'hex'), summed)
    expect(frames.open(broken)).toMatchObject({ fault: { code: 'truncated', at: 34, path: 'flag' } })
  })
})
