/** Owns block sync: hints, one verified range at a time, from any moment on (design/consensus.md 9). */
import { type CommittedBlock, payloadHash, type ValidatorKey } from '../model/index.js'
import { certificateKey, checkCertifiedHeader } from './certificate.js'
import { onCertified } from './certified.js'
import { domainOf } from './height.js'
import { STATUS_INTERVAL_MS, SYNC_RANGE_BLOCKS, SYNC_TIMEOUT_MS } from './limits.js'
import type { SyncRequest, SyncResponse } from './messages/index.js'
import type { Job } from './state.js'
import { arm, candidateOf, isVerified, refuse, rememberVerified, report, send, type Turn, verify } from './turn.js'

/** Somebody speaks of a height that we cannot verify: ask it for what lies between. */
export function hintHeight(turn: Turn, from: ValidatorKey, height: number): void {
  const { state } = turn
  if (height <= state.context.height || from === state.self) return
  if (state.sync !== undefined && state.nowMs - state.sync.sentAtMs < SYNC_TIMEOUT_MS) return
  if (state.syncBlocks.blocks.length > 0) return
  const last = state.lastStatusAtMs.get(from)
  if (last !== undefined && state.nowMs - last < STATUS_INTERVAL_MS) return
  state.lastStatusAtMs.set(from, state.nowMs)
  request(turn, from)
}

function request(turn: Turn, to: ValidatorKey): void {
  const { state } = turn
  state.sync = { peer: to, from: state.context.height, sentAtMs: state.nowMs }
  send(turn, to, { kind: 'syncRequest', value: { from: state.context.height, count: SYNC_RANGE_BLOCKS } })
  arm(turn, 'sync', SYNC_TIMEOUT_MS)
}

/** The range did not come: another hint may start anew. */
export function onSyncTimer(turn: Turn): void {
  turn.state.sync = undefined
}

/** A peer asks for committed blocks. */
export function onSyncRequest(turn: Turn, from: ValidatorKey, wanted: SyncRequest): void {
  if (wanted.from >= turn.state.context.height || wanted.count < 1) return
  turn.effects.push({
    type: 'serveBlocks',
    to: from,
    from: wanted.from,
    count: Math.min(wanted.count, SYNC_RANGE_BLOCKS),
  })
}

/** A range that we asked for. */
export function onSyncResponse(turn: Turn, from: ValidatorKey, response: SyncResponse): void {
  const { state } = turn
  if (state.sync?.peer !== from) return
  state.sync = undefined
  turn.effects.push({ type: 'disarm', name: 'sync' })
  state.syncBlocks = { from, blocks: [...response.blocks] }
  advanceSync(turn)
}

/** Takes the next synced block that fits our height; asks for more when a full range is used up. */
export function advanceSync(turn: Turn): void {
  const { state } = turn
  const { from, blocks } = state.syncBlocks
  while (blocks[0] !== undefined && blocks[0].header.height < state.context.height) {
    blocks.shift()
    // The peer had a full range for us, so it probably has the next one too.
    if (blocks.length === 0) request(turn, from)
  }
  const block = blocks[0]
  if (block === undefined || state.decided !== undefined) return
  const fault = blockFault(turn, block)
  if (typeof fault === 'string') {
    state.syncBlocks = { from, blocks: [] }
    refuse(turn, 'syncResponse', fault)
    return
  }
  const job: Job = { kind: 'verifySynced', block, from, certificates: fault.certificates }
  const verdict = verify(turn, fault.checks, job)
  if (verdict === 'held') onSyncVerified(turn, job, true)
  // Dropped rather than kept waiting for a verdict that nobody was asked for: the next hint starts anew.
  else if (verdict === 'full') state.syncBlocks = { from, blocks: [] }
}

function blockFault(turn: Turn, block: CommittedBlock) {
  const { context } = turn.state
  if (block.header.height !== context.height) return 'a gap in the range'
  if (block.certificate === undefined || block.certificate.phase !== 'commit') return 'no commit certificate'
  const check = checkCertifiedHeader(
    { header: block.header, certificate: block.certificate },
    context.committee,
    domainOf(context),
  )
  if ('fault' in check) return check.fault
  if (block.body.length !== block.header.payloadBytes) return 'a payload of another length'
  if (Buffer.compare(payloadHash(block.body), block.header.payloadHash) !== 0) return 'another payload'
  const key = certificateKey(block.certificate)
  return { checks: isVerified(turn, key) ? [] : check.checks, certificates: [key] }
}

/** The certificate of a synced block was judged: a peer that serves bad data is dropped. */
export function onSyncVerified(turn: Turn, job: Extract<Job, { kind: 'verifySynced' }>, ok: boolean): void {
  const { state } = turn
  if (!ok) {
    state.syncBlocks = { from: job.from, blocks: [] }
    report(turn, { kind: 'badSignature', peer: job.from, what: 'syncResponse' })
    return
  }
  const { block } = job
  if (block.certificate === undefined || block.header.height !== state.context.height) return
  rememberVerified(turn, job.certificates)
  candidateOf(turn, block.header, Buffer.from(block.body))
  onCertified(turn, { header: block.header, certificate: block.certificate }, { own: false })
}
