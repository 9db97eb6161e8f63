/**
 * Owns block sync: hints start it at any moment, ranges come from several peers, every block is verified with the
 * committee that the blocks before it fix; who serves bad data is dropped (design/consensus.md 9).
 *
 * While block c + 1 executes, the certificate of block c + 2 is verified and later ranges are on their way.
 */
import { type CommittedBlock, hashOfHeader, payloadHash, type ValidatorKey } from '../model/index.js'
import { certificateKey, checkCertifiedHeader } from './certificate.js'
import { onCertified } from './certified.js'
import type { SignatureCheck } from './check.js'
import { domainOf, type HeightContext } from './height.js'
import { STATUS_INTERVAL_MS, SYNC_BAN_MS, SYNC_BUFFER_BYTES, SYNC_RANGE_BLOCKS } from './limits.js'
import type { SyncRequest, SyncResponse } from './messages/index.js'
import { hashKey, type Job } from './state.js'
import { askForBlocks, restAfterSilence, syncPeerOf } from './sync-schedule.js'
import { dropSynced, type SyncedBlock } from './sync-state.js'
import { candidateOf, isVerified, rememberVerified, report, send, type Turn, verify } from './turn.js'

/** Somebody speaks of a height that we cannot verify: an unproven claim, which only makes us ask its sender. */
export function hintHeight(turn: Turn, from: ValidatorKey, height: number): void {
  const { state } = turn
  if (height <= state.context.height || from === state.self) return
  const peer = syncPeerOf(state.sync, from)
  if (peer === undefined) return
  peer.height = Math.max(peer.height, height)
  if (state.nowMs - peer.hintedAtMs < STATUS_INTERVAL_MS) return
  peer.hintedAtMs = state.nowMs
  askForBlocks(turn)
}

/** Something is overdue, or blocks wait for a verdict that could not be asked for. */
export function onSyncTimer(turn: Turn): void {
  turn.state.sync.timerArmed = false
  advanceSync(turn)
}

/** A lost link answers nothing any more. */
export function onSyncPeerDown(turn: Turn, key: ValidatorKey): void {
  const { state } = turn
  const peer = state.sync.peers.get(key)
  if (peer?.asked === undefined) return
  peer.asked = undefined
  restAfterSilence(peer, state.nowMs)
  askForBlocks(turn)
}

/** A peer asks for committed blocks; it always gets an answer, so that it need not wait for one that never comes. */
export function onSyncRequest(turn: Turn, from: ValidatorKey, wanted: SyncRequest): void {
  const { height } = turn.state.context
  if (wanted.from >= height || wanted.from < 2 || wanted.count < 1) {
    send(turn, from, { kind: 'syncResponse', value: { blocks: [] } })
    return
  }
  const count = Math.min(wanted.count, SYNC_RANGE_BLOCKS, height - wanted.from)
  turn.effects.push({ type: 'serveBlocks', to: from, from: wanted.from, count })
}

/** A range, whole or its beginning. What nobody asked for is dropped. */
export function onSyncResponse(turn: Turn, from: ValidatorKey, response: SyncResponse): void {
  const { state } = turn
  const { sync } = state
  const peer = sync.peers.get(from)
  const asked = peer?.asked
  if (peer === undefined || asked === undefined) return
  peer.asked = undefined
  if (response.blocks.length === 0) {
    // It has less than it said, and rests before another claim of it is believed.
    peer.height = Math.min(peer.height, asked.from)
    restAfterSilence(peer, state.nowMs)
  }
  for (const [index, block] of response.blocks.entries()) {
    const { height } = block.header
    if (index >= asked.count || height !== asked.from + index)
      return dropPeer(turn, from, 'other blocks than requested')
    if (height < state.context.height || sync.blocks.has(height)) continue
    // Late answers are not reserved for; what does not fit is asked for again.
    if (height > state.context.height && sync.bufferedBytes + block.body.length > SYNC_BUFFER_BYTES) break
    sync.blocks.set(height, { block, from, status: 'waiting' })
    sync.bufferedBytes += block.body.length
  }
  advanceSync(turn)
}

/** Takes the block of our height, looks at the next one meanwhile, and asks for what is missing. */
export function advanceSync(turn: Turn): void {
  const { state } = turn
  const { sync } = state
  for (const height of [...sync.blocks.keys()]) if (height < state.context.height) dropSynced(sync, height)
  const head = sync.blocks.get(state.context.height)
  if (head !== undefined && !takeHead(turn, head)) return
  const next = sync.blocks.get(state.context.height + 1)
  if (next !== undefined) verifyNext(turn, next)
  if (sync.blocks.size > 0 || isBehind(turn)) askForBlocks(turn)
}

/**
 * More is missing than the block that is being decided; or that one too, when its votes went past us while we caught
 * up. A certificate of it means that its payload is fetched already.
 */
function isBehind(turn: Turn): boolean {
  const { context, decided, sync } = turn.state
  let highest = 0
  for (const peer of sync.peers.values()) highest = Math.max(highest, peer.height)
  if (highest <= context.height) sync.catchingUp = false
  return highest > context.height + (sync.catchingUp && decided === undefined ? 0 : 1)
}

/** Checks the block of our height and decides it; false when its sender was dropped. */
function takeHead(turn: Turn, held: SyncedBlock): boolean {
  const { state } = turn
  if (held.status === 'verifying') return true
  const { block, from } = held
  const fault = blockFault(turn, block)
  if (fault !== undefined) {
    dropPeer(turn, from, fault)
    return false
  }
  if (state.decided !== undefined) {
    // Certified here already: the block brings what recovery would have to fetch.
    candidateOf(turn, block.header, Buffer.from(block.body))
    return true
  }
  const check = certificateChecks(turn, block, state.context.committee, domainOf(state.context))
  if (typeof check === 'string') {
    dropPeer(turn, from, check)
    return false
  }
  startVerifying(turn, held, check, false)
  return true
}

/** Verifies the certificate of the block after ours, whose committee is fixed too; a failure says nothing yet. */
function verifyNext(turn: Turn, held: SyncedBlock): void {
  const { context } = turn.state
  if (held.status !== 'waiting') return
  const domain = { ...domainOf(context), height: context.height + 1, committeeHash: context.nextCommittee.hash }
  const check = certificateChecks(turn, held.block, context.nextCommittee, domain)
  if (typeof check !== 'string' && check.checks.length > 0) startVerifying(turn, held, check, true)
}

interface CertificateChecks {
  readonly checks: readonly SignatureCheck[]
  readonly certificates: readonly string[]
}

function startVerifying(turn: Turn, held: SyncedBlock, check: CertificateChecks, ahead: boolean): void {
  const job: Extract<Job, { kind: 'verifySynced' }> = {
    kind: 'verifySynced',
    from: held.from,
    checks: check.checks.length,
    held,
    ahead,
    certificates: check.certificates,
  }
  const verdict = verify(turn, check.checks, job)
  if (verdict === 'held') onSyncVerified(turn, job, true)
  // `full`: it stays waiting, and the timer tries again.
  else if (verdict === 'asked') held.status = 'verifying'
}

function certificateChecks(
  turn: Turn,
  { header, certificate }: CommittedBlock,
  committee: HeightContext['committee'],
  domain: ReturnType<typeof domainOf>,
): CertificateChecks | string {
  if (certificate === undefined || certificate.phase !== 'commit') return 'no commit certificate'
  const check = checkCertifiedHeader({ header, certificate }, committee, domain)
  if ('fault' in check) return check.fault
  const key = certificateKey(certificate)
  return { checks: isVerified(turn, key) ? [] : check.checks, certificates: [key] }
}

/** What is wrong with a block of our height beside its signatures. */
function blockFault(turn: Turn, block: CommittedBlock): string | undefined {
  const { decided } = turn.state
  if (block.body.length !== block.header.payloadBytes) return 'a payload of another length'
  if (Buffer.compare(payloadHash(block.body), block.header.payloadHash) !== 0) return 'another payload'
  if (decided === undefined) return undefined
  const hash = hashKey(hashOfHeader(block.header))
  return hash === hashKey(decided.certificate.blockHash) ? undefined : 'another block than the certified one'
}

/** The certificate of a synced block was judged. */
export function onSyncVerified(turn: Turn, job: Extract<Job, { kind: 'verifySynced' }>, ok: boolean): void {
  const { state } = turn
  const { block, from } = job.held
  const { height } = block.header
  // Dropped or replaced meanwhile.
  if (state.sync.blocks.get(height) !== job.held) return
  if (!ok) {
    job.held.status = 'waiting'
    // Judged before its turn: what it was judged with is certain only when its turn comes.
    if (job.ahead) return advanceSync(turn)
    return dropPeer(turn, from, 'an invalid certificate')
  }
  rememberVerified(turn, job.certificates)
  job.held.status = 'verified'
  const peer = state.sync.peers.get(from)
  if (peer !== undefined) {
    peer.failures = 0
    peer.hintedAtMs = Number.NEGATIVE_INFINITY
  }
  if (height !== state.context.height || block.certificate === undefined || state.decided !== undefined) return
  candidateOf(turn, block.header, Buffer.from(block.body))
  onCertified(turn, { header: block.header, certificate: block.certificate }, { own: false })
}

/** Bad data: nothing of this peer is used, and it is left alone for a while; others are asked. */
function dropPeer(turn: Turn, from: ValidatorKey, what: string): void {
  const { state } = turn
  const { sync } = state
  for (const [height, held] of [...sync.blocks]) if (held.from === from) dropSynced(sync, height)
  const peer = sync.peers.get(from)
  if (peer !== undefined) {
    peer.asked = undefined
    peer.failures += 1
    peer.restsUntilMs = state.nowMs + SYNC_BAN_MS
  }
  report(turn, { kind: 'badSync', peer: from, height: state.context.height, what })
  askForBlocks(turn)
}
