/** Large bodies on the reader thread: the same verdicts as at once, a bounded queue, and an end. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_BODY_BYTES, type ParseOptions, parsePayments } from '../../src/features/iso20022/message/index.js'
import { INLINE_MAX_BYTES, MAX_WAITING, MessageReader } from '../../src/features/iso20022/reader/reader.js'
import { isoBodyHash } from '../../src/features/iso20022/schema/instructions.js'
import { LedgerError } from '../../src/model/index.js'
import { envelope009, FLAT_008, pacs008, pacs009 } from '../fixtures/iso20022/messages.js'
import { PATIENCE_MS } from '../support/ports.js'

const READER = fileURLToPath(new URL('../../dist/src/features/iso20022/reader/reader.js', import.meta.url))
const remittance = (lines: number): string => `<RmtInf>${`<Ustrd>${'x'.repeat(140)}</Ustrd>`.repeat(lines)}</RmtInf>`
const LARGE = pacs008({ end: remittance(150) })
const PINS =
  '<SplmtryData><Envlp><Pins xmlns="urn:pins"><LedgerId>l</LedgerId><Other>o</Other></Pins></Envlp></SplmtryData>'
const large = (text = LARGE): Buffer => Buffer.from(text)

let reader: MessageReader
beforeEach(() => {
  reader = new MessageReader()
})
afterEach(() => reader.close())

describe('a large body', () => {
  const bodies: [name: string, text: string, options: ParseOptions][] = [
    ['a pacs.008', LARGE, { family: 'pacs.008' }],
    ['a pacs.009', envelope009(pacs009({ end: remittance(150) })), { family: 'pacs.009' }],
    ['flat lines', [...FLAT_008, ...Array(150).fill(`RmtInf/Ustrd=${'x'.repeat(140)}`)].join('\n'), {}],
    ['a message with faults', LARGE.replace('>100.1<', '>1e3<').replace('ALPHDEFF', 'alphdeff'), {}],
    ['another family', LARGE, { family: 'pacs.009' }],
    ['a date out of the window', LARGE, { settlementWindow: { today: '2030-01-01', pastDays: 1 } }],
    ['a pin and a remark', pacs008({ end: remittance(150) + PINS }), {}],
    ['invalid XML', `<${'a'.repeat(20_000)}`, {}],
    ['invalid UTF-8', '', {}],
  ]

  it.each(bodies)('has the same result as on the calling thread: %s', async (name, text, options) => {
    const body = name === 'invalid UTF-8' ? Buffer.alloc(20_000, 0xff) : large(text)
    expect(body.length).toBeGreaterThan(INLINE_MAX_BYTES)
    const kept = Buffer.from(body)
    const result = await reader.read(body, options)
    const atOnce = parsePayments(body, options)
    // The channel makes a plain array of a Buffer.
    expect(result).toEqual(
      atOnce.ok ? { ...atOnce, message: { ...atOnce.message, bodyHash: new Uint8Array(isoBodyHash(body)) } } : atOnce,
    )
    expect(reader.hasThread).toBe(true)
    expect(body.equals(kept)).toBe(true)
  })

  it('is read on the thread if it has few bytes but many payments', async () => {
    const many = (payments: number): Buffer =>
      Buffer.from(pacs008().replace(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/s, '<CdtTrfTxInf/>'.repeat(payments)))
    expect(many(1_000).length).toBeLessThan(INLINE_MAX_BYTES)
    expect(await reader.read(many(256), {})).toMatchObject({ ok: false })
    expect(reader.hasThread).toBe(false)
    expect(await reader.read(many(1_000), {})).toEqual(parsePayments(many(1_000), {}))
    expect(reader.hasThread).toBe(true)
  })

  it('is not read on the thread of the caller', async () => {
    const turns: string[] = []
    const read = reader.read(large(), {}).then(() => turns.push('read'))
    await Promise.resolve()
    setImmediate(() => turns.push('caller'))
    await read
    expect(turns).toEqual(['caller', 'read'])
  })

  it('is refused while too many bodies wait, and accepted later', async () => {
    const reads = Array.from({ length: MAX_WAITING + 1 }, () => reader.read(large(), {}))
    const answers = await Promise.all(reads)
    expect(answers.filter((answer) => !(answer instanceof LedgerError) && answer.ok)).toHaveLength(MAX_WAITING)
    expect(answers.at(-1)).toMatchObject({ code: 'queue_full' })
    expect(await reader.read(large(), {})).toMatchObject({ ok: true })
  })
})

describe('the reader thread', () => {
  it('does not start for small bodies, or for bodies that are refused because of their size', async () => {
    expect(await reader.read(large(pacs008()), {})).toMatchObject({ ok: true })
    expect(await reader.read(Buffer.alloc(INLINE_MAX_BYTES, 0x20), {})).toMatchObject({ stage: 'malformed' })
    expect(await reader.read(Buffer.alloc(MAX_BODY_BYTES + 1), {})).toMatchObject({ stage: 'size' })
    expect(reader.hasThread).toBe(false)
  })

  it('stops with the reader, after responding to waiting bodies and without further reads', async () => {
    const waiting = reader.read(large(), {})
    await reader.close()
    expect(await waiting).toMatchObject({ code: 'node_stopping' })
    expect(reader.hasThread).toBe(false)
    expect(await reader.read(large(), {})).toMatchObject({ code: 'node_stopping' })
    await reader.close()
  })

  it('rejects its bodies if it fails, and the next body starts another thread', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    const waiting = reader.read(large(), {})
    const worker = post.mock.contexts[0]
    post.mockRestore()
    if (!(worker instanceof Worker)) throw new Error('no thread was asked')
    const ended = once(worker, 'exit')
    const rejected = expect(waiting).rejects.toThrow('the reader thread stopped')
    void worker.terminate()
    await rejected
    await ended
    expect(reader.hasThread).toBe(false)
    expect(await reader.read(large(), {})).toMatchObject({ ok: true })
  })

  it('keeps no process alive while it is idle', () => {
    const script = `import(${JSON.stringify(READER)}).then(async ({ MessageReader }) => {
      const reader = new MessageReader()
      const answer = await reader.read(Buffer.alloc(${INLINE_MAX_BYTES + 1}, 0x20), {})
      console.log(answer.stage, reader.hasThread)
    })`
    const done = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: PATIENCE_MS })
    expect([done.status, done.signal, done.stdout, done.stderr]).toEqual([0, null, 'malformed true\n', ''])
  })
})
