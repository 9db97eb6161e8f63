/** Owns a signed transfer as the tests and the benchmark of the codec use it: about 250 bytes, six instruction variants. */
import {
  binaryKey,
  bytes,
  bytesN,
  enumOf,
  json,
  lazy,
  lazyOf,
  list,
  map,
  numeric,
  option,
  string,
  struct,
  text,
  u32,
  varint,
  varintBig,
} from '../../../src/codec/index.js'

const nameFault = (value: string): string | undefined =>
  /^[!-~]{1,128}$/.test(value) && !/[@#$/]/.test(value) ? undefined : 'not a name'

/** The schemas, made afresh, so that one set can be pinned to closures. */
export function sampleSchemas() {
  const name = text('Name', 128, nameFault)
  const definition = text('AssetDefinitionId', 257, (value) => (value.includes('#') ? undefined : 'no #'))
  const account = binaryKey(40, {
    name: 'AccountId',
    validate: (value) => (value.charCodeAt(0) === 1 ? undefined : 'unknown version'),
    toText: (value, ctx) => `${ctx?.addressPrefix ?? 'cw'}:${Buffer.from(value, 'latin1').toString('hex')}`,
    fromText: (value) => {
      const hex = value.slice(value.indexOf(':') + 1)
      return /^([0-9a-f]{2})+$/.test(hex) ? Buffer.from(hex, 'hex').toString('latin1') : undefined
    },
  })
  const transfer = struct('Transfer', { source: account, definition, amount: numeric, destination: account })
  const instruction = enumOf('Instruction', {
    register: [0, struct('Register', { id: name, owner: account })],
    mint: [1, struct('Mint', { definition, amount: numeric, destination: account })],
    burn: [2, struct('Burn', { definition, amount: numeric, source: account })],
    transfer: [3, transfer],
    setKey: [4, struct('SetKey', { target: account, key: name, value: json(1024, 4) })],
    nothing: [5, undefined],
  })
  const payload = struct('Payload', {
    chain: string(64),
    authority: account,
    createdAtMs: varint,
    ttlMs: varint,
    nonce: option(u32),
    instructions: list(instruction, 4096),
    metadata: map(name, json(1024, 4), 16),
    dataspace: option(varintBig),
  })
  const signature = struct('Signature', { publicKey: bytesN(32), signature: bytes(64) })
  const signed = struct('Signed', { payload: lazy(payload), signatures: list(signature, 16) })
  const plain = struct('SignedPlain', { payload, signatures: list(signature, 16) })
  return { account, transfer, instruction, payload, signature, signed, plain }
}

const key = (fill: number): string => `\u0001\u0000\u0001${String.fromCharCode(fill).repeat(32)}`

/** A payload with one transfer. */
export const samplePayload = {
  chain: 'causeway-test',
  authority: key(0xa1),
  createdAtMs: 1_760_000_000_000,
  ttlMs: 100_000,
  nonce: 7,
  instructions: [
    {
      kind: 'transfer',
      value: {
        source: key(0xa1),
        definition: 'usd#bank-a',
        amount: { mantissa: 1_255n, scale: 1 },
        destination: key(0xb2),
      },
    },
  ],
  metadata: new Map([['memo', 'invoice 17']]),
  dataspace: undefined,
} as const

/** A signed record over `samplePayload`. */
export function sampleSigned(schemas: ReturnType<typeof sampleSchemas>) {
  const signatures = [{ publicKey: Buffer.alloc(32, 0xa1), signature: Buffer.alloc(64, 0x5e) }]
  return { payload: lazyOf(schemas.payload, samplePayload), signatures }
}
