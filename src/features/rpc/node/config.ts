/** Owns the configuration of the JSON-RPC bridge. */
import { defineConfig } from '../../../config/index.js'

/** What can be called, each with what those before it have. */
export const RPC_PROFILES = ['read_only', 'draft', 'submit', 'operator'] as const
export type RpcProfile = (typeof RPC_PROFILES)[number]

export interface RpcConfig {
  readonly enabled: boolean
  readonly profile: RpcProfile
}

export const rpcConfig = defineConfig<RpcConfig>({
  sections: { rpc: 'JSON-RPC 2.0 at /v1/rpc: the routes of the node as methods, for clients that speak no other way.' },
  keys: [
    {
      path: ['rpc', 'enabled'],
      kind: { type: 'boolean' },
      fallback: false,
      doc: ['Serve it. A method asks for the same signature, token or key as its route.'],
    },
    {
      path: ['rpc', 'profile'],
      kind: { type: 'choice', values: RPC_PROFILES },
      fallback: 'read_only',
      doc: [
        'read_only: reads and dry runs; draft: unsigned drafts too; submit: signed transactions and all else of accounts;',
        'operator: routes of operators too.',
      ],
    },
  ],
  build: ({ get }) => ({ enabled: get('rpc.enabled'), profile: get<RpcProfile>('rpc.profile') }),
})
