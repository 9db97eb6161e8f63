/** Owns the configuration of passkeys: the relying party, and the origins that may use them. */
import { isIP } from 'node:net'
import { defineConfig, parseHostPort } from '../../../config/index.js'

export interface PasskeyConfig {
  /** Relying party id; a passkey works only on pages of this domain. */
  readonly rpId: string
  /** Allowed origins; commands print the URL of the first. */
  readonly origins: readonly string[]
}

const LOCAL = 'localhost'

/** Reason why a page cannot use passkeys of a name; undefined if it can (WebAuthn level 3, section 5.1.2). */
function originFault(origin: string, rpId: string): string | undefined {
  const { hostname, protocol } = new URL(origin)
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) return `${origin} is not an origin of ${rpId}`
  const isLocal = hostname === LOCAL || hostname.endsWith(`.${LOCAL}`)
  return protocol === 'https:' || isLocal ? undefined : `${origin}: browsers allow passkeys over https only`
}

export const passkeyConfig = defineConfig<PasskeyConfig>({
  sections: { operator: 'Passkeys: operators log in to the pages of this node without their key.' },
  keys: [
    {
      path: ['operator', 'rp_id'],
      kind: { type: 'text' },
      fallback: LOCAL,
      doc: [
        'Host name that passkeys are bound to, as in the address bar of a browser. IP addresses are not supported.',
        'After a change, passkeys must be created again.',
      ],
    },
    {
      path: ['operator', 'origins'],
      kind: { type: 'origins' },
      example: ['https://node.bank.example'],
      doc: [
        'Origins of the pages that may use passkeys; `causeway operator passkey add` links to the first one.',
        'Default: rp_id with the port of gateway.listen.',
      ],
    },
  ],
  build: ({ get, has }) => {
    const rpId = get<string>('operator.rp_id')
    if (has('operator.origins')) return { rpId, origins: get('operator.origins') }
    const port = parseHostPort(get<string>('gateway.listen'))?.port ?? 0
    return { rpId, origins: [new URL(`${has('gateway.tls_cert') ? 'https' : 'http'}://${rpId}:${port}`).origin] }
  },
  check: ({ get, has }) => {
    const rpId = get<string | undefined>('operator.rp_id') ?? LOCAL
    if (isIP(rpId) !== 0 || !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(rpId)) {
      return [
        {
          path: 'operator.rp_id',
          message: 'expected a name such as "node.bank.example" in lower case, not an IP address',
        },
      ]
    }
    const origins = has('operator.origins') ? get<readonly string[]>('operator.origins') : []
    if (has('operator.origins') && origins.length === 0) {
      return [{ path: 'operator.origins', message: 'expected at least one origin, or omit this key' }]
    }
    return origins.flatMap((origin) => {
      const message = originFault(origin, rpId)
      return message === undefined ? [] : [{ path: 'operator.origins', message }]
    })
  },
})
