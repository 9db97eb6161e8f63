/** Numbers at the ends of their fields, in any message of a member: the state machine neither throws nor tells what cannot be written down. */
import { describe, expect, it } from 'vitest'
import { type ConsensusMessage, consensusMessage, type SignatureCheck } from '../../../src/consensus/index.js'
import { VIEW_MAX } from '../../../src/consensus/limits.js'
import { evidence, type ValidatorKey } from '../../../src/model/index.js'
import { fakeVerify } from '../../../src/simulation/signatures.js'
import { Bench } from './rbc/bench.js'

const EXTREMES = [0, 1, VIEW_MAX, VIEW_MAX + 1, 2 ** 32 - 2, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER]

/** Messages of every kind that a member sends of its own. */
function samples(bench: Bench, from: ValidatorKey): ConsensusMessage[] {
  const block = bench.block()
  const [prepare, commit] = (['prepare', 'commit'] as const).map((phase) => bench.certified(block, phase))
  const height = 2
  const ask = { height, view: 0, payloadHash: block.header.payloadHash }
  return [
    bench.proposal(block),
    bench.proposalOf(1, bench.block(1, 1), bench.timeoutCertificate(0)),
    { kind: 'timeout', value: bench.timeout(from, 0) },
    { kind: 'timeout', value: bench.timeout(from, 3, prepare) },
    ...[prepare, commit].flatMap((value) => (value === undefined ? [] : [{ kind: 'certificate', value } as const])),
    { kind: 'timeoutCertificate', value: bench.timeoutCertificate(0) },
    {
      kind: 'status',
      value: { height, view: 0, commit, highPrepare: prepare, entry: bench.timeoutCertificate(0) },
    },
    {
      kind: 'vote',
      value: {
        height,
        view: 0,
        phase: 'commit',
        blockHash: block.hash,
        index: bench.state.context.committee.indexOf.get(from) ?? 0,
        signature: Buffer.alloc(96, 1),
      },
    },
    bench.init(block),
    bench.signal('rbcReady', block),
    bench.signal('rbcDeliver', block),
    bench.chunk(block, 0),
    { kind: 'rbcRequest', value: { ...ask, missing: [0] } },
  ]
}

type Path = readonly string[]
/** Places of numbers in a message. */
function numbersIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'number') return [path]
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([name, one]) => numbersIn(one, [...path, name]))
}
/** A copy of a value with other numbers at some places. */
function withNumbers(value: unknown, paths: readonly Path[], number: number): unknown {
  if (paths.some((path) => path.length === 0)) return number
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => {
    const below = paths.filter(([first]) => first === name).map((path) => path.slice(1))
    return [name, withNumbers(one, below, number)]
  })
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** The message if a peer can send it; undefined if the number fits no field. */
function sendable(message: unknown): ConsensusMessage | undefined {
  try {
    const decoded = consensusMessage.decode(consensusMessage.encode(message as ConsensusMessage))
    return decoded.ok ? decoded.value : undefined
  } catch {
    return undefined
  }
}

const first = new Bench()
/**
 * Signature checks: a member may sign its own messages with any number, so these pass; all others depend on the
 * signatures.
 */
function verifyOf(bench: Bench, signer: ValidatorKey): void {
  for (let asked = bench.take('verify'); asked.length > 0; asked = bench.take('verify')) {
    for (const { job, checks } of asked) {
      const isOwn = (check: SignatureCheck): boolean =>
        check.kind === 'same' ? check.keys.every((key) => key === signer) : false
      bench.input({ type: 'verified', job, ok: checks.every((check) => isOwn(check) || fakeVerify(check)) })
    }
  }
}

/** Delivers messages of a member to a new node, one after the other, and fires its timers. */
function give(...messages: readonly ConsensusMessage[]): void {
  for (const sender of [first.others[0] ?? '', first.proposer]) {
    const bench = new Bench({ verifiesByHand: true })
    for (const message of messages) {
      bench.receive(sender, message)
      verifyOf(bench, sender)
      bench.settle()
    }
    bench.fire('view', 1_000)
    bench.settle()
    written(bench)
  }
}

/** Evidence can be written down. */
function written(bench: Bench): void {
  for (const { evidence: record } of bench.take('reportEquivocation'))
    expect(() => evidence.encode(record)).not.toThrow()
}

const kinds = samples(first, first.others[0] ?? '')

describe.each(kinds.map((message, at) => [`${message.kind} ${at}`, message] as const))('a %s', (_, message) => {
  const places = numbersIn(message)
  const views = places.filter((path) => /view/i.test(path.at(-1) ?? ''))
  /** Those that no hash holds. */
  const fields = views.filter((path) => !path.includes('header'))

  it('never causes an exception with a minimum or maximum number in one field or in all views', () => {
    let sent = 0
    for (const number of EXTREMES) {
      for (const changed of [...places.map((path) => [path]), views, fields]) {
        const one = sendable(withNumbers(message, changed, number))
        if (one === undefined) continue
        sent += 1
        give(one)
        // After a correct one of its kind, as two that contradict each other.
        give(message, one)
        for (const other of kinds) if (other.kind === message.kind) give(other, one)
      }
    }
    expect(sent).toBeGreaterThan(0)
  })
})

it('a second timeout with a certificate of the maximum view is not evidence', () => {
  const bench = new Bench()
  const [from = ''] = bench.others
  const named = bench.certified(bench.block(), 'prepare')
  const certificate = { ...named.certificate, view: 2 ** 32 - 1 }
  bench.receive(from, { kind: 'timeout', value: bench.timeout(from, 0) })
  bench.receive(from, { kind: 'timeout', value: { ...bench.timeout(from, 0), highPrepare: { ...named, certificate } } })
  expect(bench.take('reportEquivocation')).toEqual([])
})
