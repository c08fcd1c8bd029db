import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { LinkAnchor } from './links'

/** The way to the imports of a dataset, which say what of their files is not in its rows. */
export const ImportsLink = ({ dataset }: { dataset: Pick<Dataset, 'id' | 'sourceId'> }) => (
  <LinkAnchor
    to="/data-sources/$id"
    params={{ id: dataset.sourceId }}
    search={{ dataset: dataset.id, tab: 'runs' }}
    size="sm"
  >
    View imports
  </LinkAnchor>
)
