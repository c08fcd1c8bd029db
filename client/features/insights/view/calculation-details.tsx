import { Accordion, ActionIcon, Anchor, Code, CopyButton, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { datasetIdsOf, groupingIdsOf, measuredDataset, metricIdsOf } from '../../../../src/shared/query/plan-fields'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { describePeriodData } from '../../../../src/shared/query/partial-bucket'
import { printFormula } from '../../../../src/shared/formula/print'
import { useCatalogue, type SemanticCatalogue } from '../../../lib/query-builder/catalogue'
import { useMayWrite } from '../../../lib/gate'
import { ImportsLink } from '../../../ui/buttons/imports-link'
import { LinkAnchor } from '../../../ui/buttons/links'
import { useFormat } from '../../../lib/format'
import { MISSING_VALUE } from '../../../../src/shared/figures/figures'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { toNumber } from '../../../../src/shared/figures/cell-formatter'
import { ConversionLines, describeConversion, describeMissingRates } from './currency-conversion'
import classes from '../insights.module.css'
import {
  describeComparison,
  describeDatasets,
  describeExactness,
  measureFormula,
  formulaNaming,
  usedRowsPlan,
} from './describe-calculation'
import { useDatasets } from '../../../lib/queries/data-source-queries'
import { describeDataIssues } from '../../../lib/queries/data-issues'
import { planResultQuery } from '../../../lib/plan-result'
import { TERMS } from '../../../../src/shared/terms'

const PANEL_ID = 'how'

export function CalculationDetails({ plan, result }: { plan: QueryPlan; result: QueryResult }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Accordion variant="separated" value={open} onChange={setOpen} classNames={{ item: 'surface' }}>
      <Accordion.Item value={PANEL_ID}>
        <Accordion.Control>Calculation details</Accordion.Control>
        <Accordion.Panel>{open === PANEL_ID && <CalculationFacts plan={plan} result={result} />}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function CalculationFacts({ plan, result }: { plan: QueryPlan; result: QueryResult }) {
  const format = useFormat()
  const figures = useCellFormatter()
  const isNamed = metricIdsOf(plan.measures).length > 0 || groupingIdsOf(plan).length > 0
  const { catalogue } = useCatalogue({ enabled: isNamed })
  const datasets = useDatasets(datasetIdsOf(plan))
  // A dimension's totals may leave out nothing: the rows used are those of period and filters.
  const isKnown = !isNamed || catalogue !== undefined
  const used = useQuery({ ...planResultQuery(usedRowsPlan(plan, catalogue)), enabled: isKnown })
  const count = toNumber(used.data?.rows[0]?.[0] ?? null)
  const { period } = result
  const missing = period && describePeriodData(period, format.date)
  return (
    <dl className={classes.facts}>
      <Fact term={TERMS.summary}>{result.words}</Fact>
      <Fact term={plan.measures.length === 1 ? 'Measure' : 'Measures'}>
        <span>
          {plan.measures
            .map((measure) =>
              measureFormula(measure, formulaNaming(datasets, datasetIdsOf(plan)[0], { format, catalogue })),
            )
            .join('; ')}
        </span>
        <CreateMetricLink plan={plan} datasets={datasets} catalogue={catalogue} />
      </Fact>
      <Fact term="Data">{describeDatasets(result, figures)}</Fact>
      <DataIssueFacts datasets={datasets} />
      <Fact term="Rows used">{count === null ? MISSING_VALUE : figures.count(count)}</Fact>
      <Fact term="Period">
        {period ? `${period.label} (${format.date(period.from)} to ${format.date(period.to)})` : 'All rows'}
        {period?.incomplete ? ', still running' : ''}
        {missing === null ? '' : `, ${missing}`}
      </Fact>
      <Fact term="Comparison">{describeComparison(plan, result, format.date)}</Fact>
      {result.conversion && (
        <Fact term="Rates">
          {describeConversion(result.conversion)}
          <ConversionLines conversion={result.conversion} />
          {describeMissingRates(result.conversion, format.decimal)}
        </Fact>
      )}
      <Fact term="Precision">
        {result.conversion
          ? 'Converted with rates of up to ten decimals. Sums are rounded when shown, half to even.'
          : describeExactness(
              plan,
              datasets.flatMap((dataset) => dataset.columns),
            )}
      </Fact>
      <Fact term="Updated">{format.dateTime(result.dataAsOf)}</Fact>
      <Fact term="Result ID">
        <AnswerId hash={result.hash} />
      </Fact>
    </dl>
  )
}

/** The first figure as a new metric of the catalogue; nothing where it is one, or no formula says it. */
function CreateMetricLink(props: {
  plan: QueryPlan
  datasets: readonly Dataset[]
  catalogue: SemanticCatalogue | undefined
}) {
  const { plan, datasets, catalogue } = props
  const may = useMayWrite('edit:metric')
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
        Create metric
      </LinkAnchor>
    </Anchor>
  )
}

/** Rows of the files that these figures are without, or count twice, with the way to the lists of them. */
function DataIssueFacts({ datasets }: { datasets: readonly Dataset[] }) {
  const format = useFormat()
  const lacking = datasets.filter(({ rowsRejected, rowsDuplicate }) => rowsRejected + rowsDuplicate > 0)
  if (lacking.length === 0) return null
  return (
    <Fact term="Data issues">
      {lacking.map((dataset) => (
        <div key={dataset.id}>
          {dataset.name}: {describeDataIssues(dataset, format)}. <ImportsLink dataset={dataset} />
        </div>
      ))}
    </Fact>
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

const HASH_SHOWN_CHARS = 12

/** The first signs are enough to tell two answers apart; the whole is copied. */
function AnswerId({ hash }: { hash: string }) {
  return (
    <Group gap={6}>
      <Code title={hash}>{hash.length > HASH_SHOWN_CHARS ? `${hash.slice(0, HASH_SHOWN_CHARS)}…` : hash}</Code>
      <CopyButton value={hash}>
        {({ copied, copy }) => (
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label="Copy result ID">
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
