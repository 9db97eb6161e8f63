/** Owns explanations of a transaction's status, with the next step for the user. */
import type { CausewayClient, TransactionState } from '../../client/index.js'
import { ERRORS, EXIT, isErrorCode } from '../../model/errors.js'
import { getJson, proofWords } from '../gateway/gateway.js'

/** Explanation of the status of a transaction. */
export interface Explanation {
  readonly hash: string
  readonly state: TransactionState['state']
  /** `verified`: proven against the pinned genesis hash; absent if there is no provable statement. */
  readonly proof?: 'verified' | 'unverified'
  readonly what: string
  /** Number of transactions before it while it is queued. */
  readonly queue?: QueuePosition | undefined
  /** Next step; null if none is needed. */
  readonly try: string | null
  readonly exit: number
}

/** Work before a transaction in the queue of the node. */
interface QueuePosition {
  readonly lane: number
  readonly ahead: number
  readonly teu_ahead: number
}

/** Position of a queued transaction; undefined if it has left the queue, or the node is of an older release. */
async function placeOf(client: CausewayClient, hash: string): Promise<QueuePosition | undefined> {
  const answer = await getJson(client, ({ explorer }) => explorer.transactionStatus, { query: { hash, place: true } })
  const { content } = answer as { readonly content?: { readonly queue?: QueuePosition } }
  return content?.queue
}

/** Text for the work before a queued transaction. */
function placeText(place: QueuePosition | undefined): string {
  if (place === undefined) return ''
  const { lane, ahead, teu_ahead: teu } = place
  return ahead === 0 ? ` as the next of lane ${lane}` : ` behind ${ahead} transactions of ${teu} units in lane ${lane}`
}

/** Reason why a queued transaction is not in a block yet, as far as it can be derived from the node. */
async function waiting(client: CausewayClient): Promise<string> {
  const [{ stall, queueSize }, { synced }] = await Promise.all([client.consensusStatus(), client.status()])
  if (stall !== undefined) return `the chain is stalled: ${stall.text}`
  if (!synced) return 'this node is behind the chain: the transaction may already be committed'
  return `${queueSize} transactions are queued in this node; one of the next blocks serves its lane`
}

/** Explain the status of a transaction by its hash in hex. */
export async function explainHash(client: CausewayClient, hash: string): Promise<Explanation> {
  const proven = await client.prove(hash, await client.transactionStatus(hash))
  const { state, height, index, rejection, firstHeight, proof = 'unverified' } = proven
  const place = `${hash} is in block ${height} at index ${index}`
  switch (state) {
    case 'approved':
      return { hash, state, proof, what: `${place}, approved (${proofWords(proven)})`, try: null, exit: EXIT.ok }
    case 'rejected': {
      const code = rejection?.code ?? ''
      const what = `${place}, rejected: ${rejection?.message} [${code}]; it had no effect (${proofWords(proven)})`
      return {
        hash,
        state,
        proof,
        what,
        try: isErrorCode(code) ? ERRORS[code].hint : 'causeway tx build ... | causeway tx explain -',
        exit: EXIT.rejected,
      }
    }
    case 'expired':
      return {
        hash,
        state,
        proof,
        what: `${hash} expired before it was committed, according to the gateway`,
        try: 'ask another node, since an expiry cannot be proven; then build and sign it again, with a longer --ttl',
        exit: EXIT.failed,
      }
    case 'queued': {
      const queue = await placeOf(client, hash)
      return {
        hash,
        state,
        queue,
        what: `${hash} is queued${placeText(queue)}: ${await waiting(client)}`,
        try: `causeway tx wait ${hash}`,
        exit: EXIT.pending,
      }
    }
    case 'unknown':
      return {
        hash,
        state,
        what: `${hash} is unknown to this node: it was never sent to this node${
          firstHeight === undefined
            ? ', or it expired long ago'
            : `, it expired long ago, or it is in a block below ${firstHeight}, which this node does not keep`
        }`,
        try:
          firstHeight === undefined
            ? 'ask the node that it was submitted to with --gateway, or submit it again: it runs at most once'
            : 'ask a node that keeps all blocks with --gateway; a payment that is signed again would be paid twice',
        exit: EXIT.failed,
      }
  }
}
