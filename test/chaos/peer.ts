/**
 * Owns the start of a node whose clock and messages are disturbed: the built node, with two things of its world replaced.
 *
 * `CHAOS_CLOCK_SHIFT_MS`: its wall clock is off by so much. `CHAOS_LINKS=SEED:LOSE:DUPLICATE:DELAY`: shares of its outgoing
 * messages that are lost, sent twice, or sent later than those after them. TCP and TLS below stay what they are: a
 * proxy outside cannot take a message out of an encrypted stream. `CHAOS_DOUBLE_VOTES=COUNT`: at so many heights it votes
 * for another block too, as a second process with its key would that saw another proposal. `CHAOS_WRONG_CHUNKS=1`: the chunks
 * of snapshots that it sends have other bytes.
 */
import { join } from 'node:path'
import NodeStart from '../../commands/node/start.js'
import { domainOf, type Effect, type Vote, voteSignBytes } from '../../src/consensus/index.js'
import { type BlsBackend, hash, type KeyPair, loadBls } from '../../src/crypto/index.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { PeerLinks } from '../../src/network/index.js'
import { ConsensusDriver } from '../../src/node/consensus/driver.js'
import { Gossip } from '../../src/node/peers/gossip.js'
import { type Random, randomOf } from '../../src/simulation/prng.js'

/** Longest time that a late message is held back, in ms: longer than a view of a fast network. */
const LATE_MAX_MS = 600

function shiftClock(byMs: number): void {
  const now = Date.now.bind(Date)
  Date.now = () => now() + byMs
}

function disturbLinks(random: Random, lose: number, duplicate: number, delay: number): void {
  const plain = PeerLinks.prototype.send
  const send = function (this: PeerLinks, ...[key, channel, body]: Parameters<typeof plain>): boolean {
    if (random.chance(lose)) return true
    if (random.chance(duplicate)) plain.call(this, key, channel, body)
    if (!random.chance(delay)) return plain.call(this, key, channel, body)
    const copy = Buffer.from(body)
    setTimeout(() => plain.call(this, key, channel, copy), random.next() * LATE_MAX_MS)
    return true
  }
  PeerLinks.prototype.send = send
  PeerLinks.prototype.broadcast = function (channel, body) {
    return this.connected().filter((key) => send.call(this, key, channel, body)).length
  }
}

/**
 * Precedes each prepare vote by one for a block that nobody made, at the first heights at which this node votes. Precedes: a
 * collector drops votes of a height that is committed, and a lie that is signed after the vote may come too late.
 */
function voteTwice(bls: BlsBackend, key: KeyPair, heights: number): void {
  const driver = ConsensusDriver.prototype as unknown as { perform(this: ConsensusDriver, effect: Effect): void }
  const plain = driver.perform
  const forgedHeights = new Set<number>()
  const forgeryOf = (driver: ConsensusDriver, vote: Vote): Vote | undefined => {
    const { context } = driver.state
    if (vote.phase !== 'prepare' || vote.height !== context.height) return undefined
    if (forgedHeights.size >= heights && !forgedHeights.has(vote.height)) return undefined
    forgedHeights.add(vote.height)
    const blockHash = hash('chaos-other-block', vote.blockHash)
    const signature = bls.sign(key.secret, voteSignBytes(domainOf(context), 'prepare', vote.view, blockHash))
    return { ...vote, blockHash, signature }
  }
  driver.perform = function (effect) {
    const forgery =
      effect.type === 'send' && effect.message.kind === 'vote' ? forgeryOf(this, effect.message.value) : undefined
    if (forgery !== undefined) plain.call(this, { ...effect, message: { kind: 'vote', value: forgery } } as Effect)
    plain.call(this, effect)
  }
}

/** Changes each chunk on its way, past all that a node checks before it sends one. */
function sendWrongChunks(): void {
  const plain = Gossip.prototype.sendChunk
  Gossip.prototype.sendChunk = function (to, { wanted, chunk }) {
    const wrong = chunk === undefined ? undefined : Buffer.from(chunk)
    if (wrong !== undefined) wrong[wrong.length >> 1]! ^= 1
    plain.call(this, to, { wanted, chunk: wrong })
  }
}

const shift = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0)
if (shift !== 0) shiftClock(shift)
if (process.env.CHAOS_LINKS !== undefined) {
  const [seed = 0, lose = 0, duplicate = 0, delay = 0] = process.env.CHAOS_LINKS.split(':').map(Number)
  disturbLinks(randomOf(seed, 'links'), lose, duplicate, delay)
}
const doubleVotes = Number(process.env.CHAOS_DOUBLE_VOTES ?? 0)
if (doubleVotes > 0) {
  voteTwice(await loadBls(), await readKeyFile(join(process.cwd(), 'keys', 'validator.json')), doubleVotes)
}
if (process.env.CHAOS_WRONG_CHUNKS === '1') sendWrongChunks()
process.env.NODE_ENV ??= 'production'
// Not through the program, whose bundle has links of its own: `node start` and its flags.
await NodeStart.run(process.argv.slice(4), import.meta.url)
