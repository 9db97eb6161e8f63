/** Owns the configuration of the JSON-RPC bridge. */
import { defineConfig } from '../../../config/index.js'

/** Profiles of callable methods; each includes the previous ones. */
export const RPC_PROFILES = ['read_only', 'draft', 'submit', 'operator'] as const
export type RpcProfile = (typeof RPC_PROFILES)[number]

export interface RpcConfig {
  readonly enabled: boolean
  readonly profile: RpcProfile
}

export const rpcConfig = defineConfig<RpcConfig>({
  sections: {
    rpc: 'JSON-RPC 2.0 at /v1/rpc: the routes of the node as methods, for clients that only support JSON-RPC.',
  },
  keys: [
    {
      path: ['rpc', 'enabled'],
      kind: { type: 'boolean' },
      fallback: false,
      doc: ['Serve it. A method requires the same signature, token or key as its route.'],
    },
    {
      path: ['rpc', 'profile'],
      kind: { type: 'choice', values: RPC_PROFILES },
      fallback: 'read_only',
      doc: [
        'read_only: reads and dry runs; draft: also unsigned drafts; submit: also signed transactions and other routes of accounts;',
        'operator: also routes of operators.',
      ],
    },
  ],
  build: ({ get }) => ({ enabled: get('rpc.enabled'), profile: get<RpcProfile>('rpc.profile') }),
})
