/**
 * Owns block sync: hints start it at any moment, ranges come from several peers, every block is verified with the
 * committee that the blocks before it fix; who serves bad data is dropped (docs/design/consensus.md 9).
 *
 * While block c + 1 executes, the certificate of block c + 2 is verified and later ranges are on their way.
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
import {
  candidateOf,
  drop,
  isVerified,
  rememberVerified,
  report,
  type StepContext,
  send,
  verify,
} from './step-context.js'
import { askForBlocks, restAfterSilence, syncPeerOf } from './sync-schedule.js'
import { dropSynced, type SyncedBlock } from './sync-state.js'

/** Somebody speaks of a height that we cannot verify: an unproven claim, which only makes us ask its sender. */
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

/** Something is overdue, or blocks wait for a verdict that could not be asked for. */
export function onSyncTimer(ctx: StepContext): void {
  ctx.state.sync.timerArmed = false
  advanceSync(ctx)
}

/** A lost link answers nothing any more. */
export function onSyncPeerDown(ctx: StepContext, key: ValidatorKey): void {
  const { state } = ctx
  const peer = state.sync.peers.get(key)
  if (peer?.asked === undefined) return
  peer.asked = undefined
  restAfterSilence(peer, state.nowMs)
  askForBlocks(ctx)
}

/** A peer asks for committed blocks; it always gets an answer, so that it need not wait for one that never comes. */
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
 * True where no correct peer answers so much: one block, or several within the bytes of a range. A block that is kept keeps
 * the memory of the whole message, so that what came beside it and was not kept would count nowhere.
 */
function isTooLong({ blocks }: SyncResponse): boolean {
  return blocks.length > 1 && blocks.reduce((sum, { body }) => sum + body.length, 0) > SYNC_RANGE_BYTES
}

/** A range, whole or its beginning. What nobody asked for is dropped. */
export function onSyncResponse(ctx: StepContext, from: ValidatorKey, response: SyncResponse): void {
  const { state } = ctx
  const { sync } = state
  const peer = sync.peers.get(from)
  const asked = peer?.asked
  if (peer === undefined || asked === undefined) return drop(ctx, from, 'syncResponse', 'unasked')
  if (isTooLong(response)) return refuse(ctx, from, 'more bytes than a range has')
  peer.asked = undefined
  if (response.blocks.length === 0) {
    // It has less than it said, or not the beginning of it, and rests before another claim of it is believed.
    if (asked.from === state.context.height) report(ctx, { kind: 'lacksBlock', peer: from, height: asked.from })
    peer.height = Math.min(peer.height, asked.from)
    restAfterSilence(peer, state.nowMs)
    peer.barredUntilMs = peer.restsUntilMs
  }
  for (const [index, block] of response.blocks.entries()) {
    const { height } = block.header
    if (index >= asked.count || height !== asked.from + index) return refuse(ctx, from, 'other blocks than requested')
    if (height < state.context.height || sync.blocks.has(height)) continue
    // Late answers are not reserved for; what does not fit is asked for again.
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

/** Takes the block of our height, looks at the next one meanwhile, and asks for what is missing. */
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
 * More is missing than the block that is being decided; or that one too, when its votes went past us while we caught
 * up. A certificate of it means that its payload is fetched already.
 */
function isBehind(ctx: StepContext): boolean {
  const { context, decided, sync } = ctx.state
  let highest = 0
  for (const peer of sync.peers.values()) highest = Math.max(highest, peer.height)
  if (highest <= context.height) sync.catchingUp = false
  return highest > context.height + (sync.catchingUp && decided === undefined ? 0 : 1)
}

/** Checks the block of our height and decides it; false when its sender was dropped. */
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
    // Certified here already: the block brings what recovery would have to fetch.
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

/** Verifies the certificate of the block after ours, whose committee is fixed too; a failure says nothing yet. */
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
  if (status === 'verified') judgeSynced(ctx, job, true)
  // `full`: it stays waiting, and the timer tries again.
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

/** What is wrong with a block of our height beside its signatures. */
function blockFault(ctx: StepContext, block: CommittedBlock): string | undefined {
  const { decided } = ctx.state
  if (block.body.length !== block.header.payloadBytes) return 'a payload of another length'
  if (!sameBytes(payloadHash(block.body), block.header.payloadHash)) return 'another payload'
  if (decided === undefined) return undefined
  const hash = hashKey(hashOfHeader(block.header))
  return hash === hashKey(decided.certificate.blockHash) ? undefined : 'another block than the certified one'
}

/** The certificate of a synced block was judged. */
export function onSyncVerified(ctx: StepContext, job: JobOf<'syncVerified'>, { ok }: AnswerOf<'verified'>): void {
  judgeSynced(ctx, job, ok)
}

function judgeSynced(ctx: StepContext, job: JobOf<'syncVerified'>, ok: boolean): void {
  const { state } = ctx
  const { block, from } = job.held
  const { height } = block.header
  // Dropped or replaced meanwhile.
  if (state.sync.blocks.get(height) !== job.held) return
  if (!ok) {
    job.held.status = 'waiting'
    // Judged before its turn: what it was judged with is certain only when its turn comes.
    if (job.ahead) return advanceSync(ctx)
    return dropPeer(ctx, from, 'an invalid certificate')
  }
  rememberVerified(ctx, job.certificates)
  job.held.status = 'verified'
  const peer = state.sync.peers.get(from)
  if (peer !== undefined) {
    peer.failures = 0
    peer.restsUntilMs = Number.NEGATIVE_INFINITY
    peer.hintedAtMs = Number.NEGATIVE_INFINITY
  }
  if (height !== state.context.height || block.certificate === undefined || state.decided !== undefined) return
  // Its turn came while its certificate was judged ahead of it: a good certificate says nothing about the body beside it.
  const fault = job.ahead ? blockFault(ctx, block) : undefined
  if (fault !== undefined) return dropPeer(ctx, from, fault)
  candidateOf(ctx, block.header, Buffer.from(block.body))
  onCertified(ctx, { header: block.header, certificate: block.certificate }, { own: false })
}

/** Bad data: nothing of this peer is used, and it is left alone for a while; others are asked. */
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
