/** Assets and their controls as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const assetSchema = defineSchema({
  name: 'assets',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    accountAssets: routes.accountAssetsRoute,
    portfolio: routes.portfolioRoute,
    assets: routes.assetsRoute,
    definitions: routes.definitionsRoute,
    definition: routes.definitionRoute,
    holders: routes.holdersRoute,
    explorerAssets: routes.explorerAssetsRoute,
    explorerDefinitions: routes.explorerDefinitionsRoute,
    explorerDefinition: routes.explorerDefinitionRoute,
    controls: routes.controlsRoute,
    control: routes.controlRoute,
    controlDraft: routes.controlDraftRoute,
    controlCheck: routes.controlCheckRoute,
  },
  topics: { asset: 'Asset definitions, their holders, and transfers' },
})
