/** Passkeys of operators on a node. */
import { defineService } from '../../service.js'
import { passkeySchema } from '../schema.js'
import { passkeyConfig } from './config.js'

export const passkeyService = defineService(passkeySchema, {
  config: passkeyConfig,
  open: async (context, config) => (await import('./open.js')).openPasskeys(context, config),
})
