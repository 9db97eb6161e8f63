/**
 * Owns block sync: started by hints, ranges from several peers at once, every block verified with the committee that its
 * predecessors determine; a peer that serves invalid data is dropped (docs/design/consensus.md 9).
 *
 * While block c + 1 executes, the certificate of block c + 2 is verified and later ranges are in flight.
 */
import { sameBytes } from '../base/bytes.js'
import { type CommittedBlock, hashOfHeader, payloadHash, type ValidatorKey } from '../model/index.js'
import { certificateKey, checkCertifiedHeader } from './certificate.js'
import { onCertified } from './certified.js'
import type { SignatureCheck } from './check.js'
import { domainOf, type HeightContext } from './height.js'
import type { AnswerOf } from './input.js'
import { STATUS_INTERVAL_MS, SYNC_BAN_MS, SYNC_BUFFER_BYTES, SYNC_RANGE_BLOCKS, SYNC_RANGE_BYTES } from './limits.js'
import type { SyncRequest, SyncResponse } from './messages/index.js'
import { hashKey, type JobOf } from './state.js'
import { cacheVerified, candidateOf, drop, isVerified, report, type StepContext, send, verify } from './step-context.js'
import { askForBlocks, restAfterSilence, syncPeerOf } from './sync-schedule.js'
import { dropSynced, type SyncedBlock } from './sync-state.js'

/** Process an unproven claim of a later height, which only starts a request to its sender. */
export function observePeerHeight(ctx: StepContext, from: ValidatorKey, height: number): void {
  const { state } = ctx
  if (height <= state.context.height || from === state.self) return
  const peer = syncPeerOf(state.sync, from)
  if (peer === undefined) return
  peer.height = Math.max(peer.height, height)
  peer.claimed = Math.max(peer.claimed, height)
  if (state.nowMs - peer.hintedAtMs < STATUS_INTERVAL_MS) return
  peer.hintedAtMs = state.nowMs
  askForBlocks(ctx)
}

/** Retry overdue requests and signature checks that could not be requested. */
export function onSyncTimer(ctx: StepContext): void {
  ctx.state.sync.timerArmed = false
  advanceSync(ctx)
}

/** Drop the requests to a peer whose link is lost. */
export function onSyncPeerDown(ctx: StepContext, key: ValidatorKey): void {
  const { state } = ctx
  const peer = state.sync.peers.get(key)
  if (peer?.asked === undefined) return
  peer.asked = undefined
  restAfterSilence(peer, state.nowMs)
  askForBlocks(ctx)
}

/** Serve a request for committed blocks; the response may be empty, so that the peer does not wait. */
export function onSyncRequest(ctx: StepContext, from: ValidatorKey, wanted: SyncRequest): void {
  const { height } = ctx.state.context
  if (wanted.from >= height || wanted.from < 2 || wanted.count < 1) {
    send(ctx, from, { kind: 'syncResponse', value: { blocks: [] } })
    return
  }
  const count = Math.min(wanted.count, SYNC_RANGE_BLOCKS, height - wanted.from)
  ctx.effects.push({ type: 'serveBlocks', to: from, from: wanted.from, count })
}

/**
 * True for a response larger than a correct peer sends: one block, or several within the bytes of a range. A stored block retains the
 * memory of its whole message, so dropped blocks beside it would not be counted.
 */
function isTooLong({ blocks }: SyncResponse): boolean {
  return blocks.length > 1 && blocks.reduce((sum, { body }) => sum + body.length, 0) > SYNC_RANGE_BYTES
}

/** Process a range or the beginning of one. Unrequested blocks are dropped. */
export function onSyncResponse(ctx: StepContext, from: ValidatorKey, response: SyncResponse): void {
  const { state } = ctx
  const { sync } = state
  const peer = sync.peers.get(from)
  const asked = peer?.asked
  if (peer === undefined || asked === undefined) return drop(ctx, from, 'syncResponse', 'unasked')
  if (isTooLong(response)) return refuse(ctx, from, 'more bytes than a range has')
  peer.asked = undefined
  if (response.blocks.length === 0) {
    // It has less than it claimed, or not the beginning, so its claims are ignored for a while.
    if (asked.from === state.context.height) report(ctx, { kind: 'lacksBlock', peer: from, height: asked.from })
    peer.height = Math.min(peer.height, asked.from)
    restAfterSilence(peer, state.nowMs)
    peer.barredUntilMs = peer.restsUntilMs
  }
  for (const [index, block] of response.blocks.entries()) {
    const { height } = block.header
    if (index >= asked.count || height !== asked.from + index) return refuse(ctx, from, 'other blocks than requested')
    if (height < state.context.height || sync.blocks.has(height)) continue
    // Late responses have no reservation; blocks that do not fit are requested again.
    if (height > state.context.height && sync.bufferedBytes + block.body.length > SYNC_BUFFER_BYTES) break
    sync.blocks.set(height, { block, from, status: 'waiting' })
    sync.bufferedBytes += block.body.length
  }
  advanceSync(ctx)
}

function refuse(ctx: StepContext, from: ValidatorKey, why: string): void {
  drop(ctx, from, 'syncResponse', 'fault', why)
  dropPeer(ctx, from, why)
}

/** Process the block of our height, verify the next one ahead, and request missing ranges. */
export function advanceSync(ctx: StepContext): void {
  const { state } = ctx
  const { sync } = state
  for (const height of [...sync.blocks.keys()]) if (height < state.context.height) dropSynced(sync, height)
  const head = sync.blocks.get(state.context.height)
  if (head !== undefined && !takeHead(ctx, head)) return
  const next = sync.blocks.get(state.context.height + 1)
  if (next !== undefined) verifyNext(ctx, next)
  if (sync.blocks.size > 0 || isBehind(ctx)) askForBlocks(ctx)
}

/**
 * True if blocks above the block being decided are missing, or this block itself because its votes passed during
 * catch-up. With a certificate of this block, its payload is being fetched already.
 */
function isBehind(ctx: StepContext): boolean {
  const { context, decided, sync } = ctx.state
  let highest = 0
  for (const peer of sync.peers.values()) highest = Math.max(highest, peer.height)
  if (highest <= context.height) sync.catchingUp = false
  return highest > context.height + (sync.catchingUp && decided === undefined ? 0 : 1)
}

/** Verify and decide the block of our height; false if its sender was dropped. */
function takeHead(ctx: StepContext, held: SyncedBlock): boolean {
  const { state } = ctx
  if (held.status === 'verifying') return true
  const { block, from } = held
  const fault = blockFault(ctx, block)
  if (fault !== undefined) {
    dropPeer(ctx, from, fault)
    return false
  }
  if (state.decided !== undefined) {
    // Certified here already: the block replaces the fetch of its payload.
    candidateOf(ctx, block.header, Buffer.from(block.body))
    return true
  }
  const check = certificateChecks(ctx, block, state.context.committee, domainOf(state.context))
  if (typeof check === 'string') {
    dropPeer(ctx, from, check)
    return false
  }
  startVerifying(ctx, held, check, false)
  return true
}

/** Verify the certificate of the block after ours ahead, with its known committee; a failure is not final yet. */
function verifyNext(ctx: StepContext, held: SyncedBlock): void {
  const { context } = ctx.state
  if (held.status !== 'waiting') return
  const domain = { ...domainOf(context), height: context.height + 1, committeeHash: context.nextCommittee.hash }
  const check = certificateChecks(ctx, held.block, context.nextCommittee, domain)
  if (typeof check !== 'string' && check.checks.length > 0) startVerifying(ctx, held, check, true)
}

interface CertificateChecks {
  readonly checks: readonly SignatureCheck[]
  readonly certificates: readonly string[]
}

function startVerifying(ctx: StepContext, held: SyncedBlock, check: CertificateChecks, ahead: boolean): void {
  const job: JobOf<'syncVerified'> = {
    next: 'syncVerified',
    from: held.from,
    checks: check.checks.length,
    held,
    ahead,
    certificates: check.certificates,
  }
  const status = verify(ctx, check.checks, job)
  if (status === 'verified') acceptSynced(ctx, job, true)
  // `overloaded`: it keeps waiting, and the timer retries.
  else if (status === 'pending') held.status = 'verifying'
}

function certificateChecks(
  ctx: StepContext,
  { header, certificate }: CommittedBlock,
  committee: HeightContext['committee'],
  domain: ReturnType<typeof domainOf>,
): CertificateChecks | string {
  if (certificate === undefined || certificate.phase !== 'commit') return 'no commit certificate'
  const check = checkCertifiedHeader({ header, certificate }, committee, domain)
  if ('fault' in check) return check.fault
  const key = certificateKey(certificate)
  return { checks: isVerified(ctx, key) ? [] : check.checks, certificates: [key] }
}

/** Fault of a block of our height apart from its signatures. */
function blockFault(ctx: StepContext, block: CommittedBlock): string | undefined {
  const { decided } = ctx.state
  if (block.body.length !== block.header.payloadBytes) return 'a payload of another length'
  if (!sameBytes(payloadHash(block.body), block.header.payloadHash)) return 'another payload'
  if (decided === undefined) return undefined
  const hash = hashKey(hashOfHeader(block.header))
  return hash === hashKey(decided.certificate.blockHash) ? undefined : 'another block than the certified one'
}

/** Process the result of verifying the certificate of a synced block. */
export function onSyncVerified(ctx: StepContext, job: JobOf<'syncVerified'>, { ok }: AnswerOf<'verified'>): void {
  acceptSynced(ctx, job, ok)
}

function acceptSynced(ctx: StepContext, job: JobOf<'syncVerified'>, ok: boolean): void {
  const { state } = ctx
  const { block, from } = job.held
  const { height } = block.header
  // Dropped or replaced in the meantime.
  if (state.sync.blocks.get(height) !== job.held) return
  if (!ok) {
    job.held.status = 'waiting'
    // Verified ahead: the committee is certain only at its height.
    if (job.ahead) return advanceSync(ctx)
    return dropPeer(ctx, from, 'an invalid certificate')
  }
  cacheVerified(ctx, job.certificates)
  job.held.status = 'verified'
  const peer = state.sync.peers.get(from)
  if (peer !== undefined) {
    peer.failures = 0
    peer.restsUntilMs = Number.NEGATIVE_INFINITY
    peer.hintedAtMs = Number.NEGATIVE_INFINITY
  }
  if (height !== state.context.height || block.certificate === undefined || state.decided !== undefined) return
  // Its height was reached while its certificate was verified ahead; a valid certificate does not cover the body beside it.
  const fault = job.ahead ? blockFault(ctx, block) : undefined
  if (fault !== undefined) return dropPeer(ctx, from, fault)
  candidateOf(ctx, block.header, Buffer.from(block.body))
  onCertified(ctx, { header: block.header, certificate: block.certificate }, { own: false })
}

/** Handle invalid data: drop all blocks of the peer, pause it, and ask others. */
function dropPeer(ctx: StepContext, from: ValidatorKey, what: string): void {
  const { state } = ctx
  const { sync } = state
  for (const [height, held] of [...sync.blocks]) if (held.from === from) dropSynced(sync, height)
  const peer = sync.peers.get(from)
  if (peer !== undefined) {
    peer.asked = undefined
    peer.failures += 1
    peer.barredUntilMs = state.nowMs + SYNC_BAN_MS
  }
  report(ctx, { kind: 'badSync', peer: from, height: state.context.height, what })
  askForBlocks(ctx)
}
