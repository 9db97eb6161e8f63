/**
 * Owns the start of a node whose clock and messages are disturbed: the built node, with two things of its world replaced.
 *
 * `CHAOS_CLOCK_SHIFT_MS`: its wall clock is off by so much. `CHAOS_LINKS=SEED:LOSE:DUPLICATE:DELAY`: shares of its outgoing
 * messages that are lost, sent twice, or sent later than those after them. TCP and TLS below stay what they are: a
 * proxy outside cannot take a message out of an encrypted stream.
 */
import NodeStart from '../../commands/node/start.js'
import { PeerLinks } from '../../src/network/index.js'
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

const shift = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0)
if (shift !== 0) shiftClock(shift)
if (process.env.CHAOS_LINKS !== undefined) {
  const [seed = 0, lose = 0, duplicate = 0, delay = 0] = process.env.CHAOS_LINKS.split(':').map(Number)
  disturbLinks(randomOf(seed, 'links'), lose, duplicate, delay)
}
process.env.NODE_ENV ??= 'production'
// Not through the program, whose bundle has links of its own: `node start` and its flags.
await NodeStart.run(process.argv.slice(4), import.meta.url)
