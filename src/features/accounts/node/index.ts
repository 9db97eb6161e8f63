/** Accounts on a node: the route that is more than a query. */
import { handle } from '../../../api/handler.js'
import { defineService } from '../../service.js'
import { accountSchema } from '../schema/index.js'
import { onboardingRoute } from '../schema/onboarding.js'

export const accountService = defineService(accountSchema, {
  open: async () => ({
    handlers: new Map([handle(onboardingRoute, (await import('./onboarding.js')).onboarding)]),
  }),
})
