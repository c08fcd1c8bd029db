import { Accordion, ActionIcon, Anchor, Code, CopyButton, Group } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { datasetsOf, groupingsOf, measuredDataset, metricsOf } from '../../../src/shared/plan-fields'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { Dataset } from '../../../src/shared/sources'
import { printFormula } from '../../../src/shared/formula/print'
import type { Catalogue } from '../../lib/filters/catalogue'
import { useMayNow } from '../../lib/gate'
import { LinkAnchor } from '../../ui/links'
import { NOTHING, useFormat } from '../../lib/format'
import { numeric, useFigureFormat } from '../../ui/chart/figure-format'
import { ConversionLines } from './conversion-note'
import { conversionSentence, missingWords } from './conversion-words'
import { useCatalogue } from '../../lib/filters/use-catalogue'
import classes from './insights.module.css'
import { comparisonWords, datasetWords, exactness, formula, labelOf, usedRowsPlan } from './provenance'
import { datasetQuery } from './queries'
import { figuresQuery } from '../../lib/figures'

const PANEL = 'how'

/** Where the figures come from, closed until asked for. */
export function HowComputed({ plan, result }: { plan: QueryPlan; result: QueryResult }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Accordion variant="separated" value={open} onChange={setOpen} classNames={{ item: 'surface' }}>
      <Accordion.Item value={PANEL}>
        <Accordion.Control>How computed</Accordion.Control>
        <Accordion.Panel>{open === PANEL && <Facts plan={plan} result={result} />}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function Facts({ plan, result }: { plan: QueryPlan; result: QueryResult }) {
  const format = useFormat()
  const figures = useFigureFormat()
  const isNamed = metricsOf(plan.measures).length > 0 || groupingsOf(plan).length > 0
  const { catalogue } = useCatalogue({ enabled: isNamed })
  const datasets = useQueries({
    queries: datasetsOf(plan).map((id) => datasetQuery(id)),
    combine: (all) => all.flatMap((one): Dataset[] => (one.data ? [one.data] : [])),
  })
  // A dimension's totals may leave out nothing: the rows used are those of period and filters.
  const used = useQuery(figuresQuery(usedRowsPlan(plan)))
  const count = numeric(used.data?.rows[0]?.[0] ?? null)
  const { period } = result
  return (
    <dl className={classes.facts}>
      <Fact term="In words">{result.words}</Fact>
      <Fact term={plan.measures.length === 1 ? 'Measure' : 'Measures'}>
        <span>
          {plan.measures
            .map((measure) => formula(measure, labelOf(datasets, datasetsOf(plan)[0]), catalogue))
            .join('; ')}
        </span>
        <AsMetric plan={plan} datasets={datasets} catalogue={catalogue} />
      </Fact>
      <Fact term="Data">{datasetWords(result, figures)}</Fact>
      <Fact term="Rows used">{count === null ? NOTHING : figures.count(count)}</Fact>
      <Fact term="Period">
        {period ? `${period.label} (${format.date(period.from)} to ${format.date(period.to)})` : 'All rows'}
        {period?.incomplete ? ', the last part is not complete yet' : ''}
      </Fact>
      <Fact term="Comparison">{comparisonWords(plan, result, format.date)}</Fact>
      {result.conversion && (
        <Fact term="Rates">
          {conversionSentence(result.conversion)}
          <ConversionLines conversion={result.conversion} />
          {missingWords(result.conversion, format.decimal)}
        </Fact>
      )}
      <Fact term="Exactness">
        {result.conversion
          ? 'Each amount is multiplied by its rate, with up to ten decimals; sums are rounded only when shown, half to even.'
          : exactness(
              plan,
              datasets.flatMap((dataset) => dataset.columns),
            )}
      </Fact>
      <Fact term="Data as of">{format.dateTime(result.dataAsOf)}</Fact>
      <Fact term="Answer id">
        <AnswerId hash={result.hash} />
      </Fact>
    </dl>
  )
}

/** The first figure as a new metric of the catalogue; nothing where it is one, or no formula says it. */
function AsMetric(props: { plan: QueryPlan; datasets: readonly Dataset[]; catalogue: Catalogue | undefined }) {
  const { plan, datasets, catalogue } = props
  const may = useMayNow('edit:metric')
  const [measure] = plan.measures
  const id = measuredDataset(plan)
  const dataset = datasets.find((one) => one.id === id)
  if (!may || !measure || measure.kind === 'metric' || !dataset) return null
  const { label: _label, format: _format, ...bare } = measure
  const related = datasets.filter((one) => one !== dataset)
  const text = printFormula(bare, { dataset, related, metrics: catalogue?.metrics ?? [] })
  if (text === null) return null
  return (
    <Anchor component="span" size="sm" ml="xs">
      <LinkAnchor to="/metrics/$id" params={{ id: 'new' }} search={{ dataset: dataset.id, formula: text }}>
        Make a metric of this
      </LinkAnchor>
    </Anchor>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className="label">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const SHOWN_CHARS = 12

/** The first signs are enough to tell two answers apart; the whole is copied. */
function AnswerId({ hash }: { hash: string }) {
  return (
    <Group gap={6}>
      <Code title={hash}>{hash.length > SHOWN_CHARS ? `${hash.slice(0, SHOWN_CHARS)}…` : hash}</Code>
      <CopyButton value={hash}>
        {({ copied, copy }) => (
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label="Copy the whole answer id">
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
