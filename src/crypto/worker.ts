/** Owns the entry of a crypto thread: reads requests, answers each with one transferred buffer. */
import { parentPort } from 'node:worker_threads'
import { InlineCrypto } from './service.js'
import {
  type CryptoRequest,
  type CryptoResponse,
  packBytes,
  unpackBytes,
  unpackGroups,
  unpackItems,
} from './worker-protocol.js'

const port = parentPort
if (port === null) throw new Error('the crypto worker is started by the crypto pool')

const ready = InlineCrypto.create()
const verdict = (value: boolean): Buffer => Buffer.of(value ? 1 : 0)

async function answer(request: CryptoRequest): Promise<Uint8Array[]> {
  const crypto = await ready
  switch (request.operation) {
    case 'verifyBatch':
      return [Buffer.from((await crypto.verifyBatch(unpackItems(request.packed))).map(Number))]
    case 'addBlsKey': {
      const [name, secret] = unpackBytes(request.packed)
      crypto.addBlsKey(name!.toString('utf8'), secret!)
      secret!.fill(0)
      return []
    }
    case 'blsSign': {
      const [name, message] = unpackBytes(request.packed)
      return [await crypto.blsSign(name!.toString('utf8'), message!)]
    }
    case 'blsVerifyMulti': {
      const { groups, signature } = unpackGroups(request.packed)
      return [verdict(await crypto.blsVerifyMulti(groups, signature))]
    }
    case 'blsAggregate': {
      const sum = await crypto.blsAggregate(unpackBytes(request.packed))
      return sum === undefined ? [] : [sum]
    }
  }
}

port.on('message', (request: CryptoRequest) => {
  answer(request).then(
    (parts) => {
      const packed = packBytes(parts)
      const response: CryptoResponse = { id: request.id, packed }
      port.postMessage(response, [packed])
    },
    (error: unknown) => {
      const response: CryptoResponse = { id: request.id, error: error instanceof Error ? error.message : String(error) }
      port.postMessage(response)
    },
  )
})
