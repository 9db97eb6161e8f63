/**
 * Owns the sending process of a benchmark: it reads prepared transactions, sends them in an open loop, and reports the
 * time of each.
 */

import { send } from './load.js'
import { readRecords } from './records-file.js'

const [file = '', rate = '0', ...gateways] = process.argv.slice(2)
const prepared = await readRecords(file)
process.send?.({ type: 'ready' })
await new Promise((resolve) => process.once('message', resolve))
const sent = await send({ gateways }, prepared, Number(rate))
process.send?.({ type: 'done', atMs: [...sent.atMs], refused: [...sent.refused] }, () => process.disconnect())
