import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { FigureDrawer } from './figure-drawer'
import { statementQuery, type StatementChoice } from './queries'
import { StatementControls } from './statement-controls'
import { StatementNotices } from './statement-notices'
import { StatementTable, type ChosenFigure } from '../../ui/statement/statement-table'
import classes from '../../ui/statement/statement-table.module.css'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { usePrintLight } from './print-light'
import { useSession } from '../../lib/session'
import { ErrorState } from '../../ui/error-state'
import { MutedText } from '../../ui/muted-text'
import { RefetchError } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import { STATEMENT_NAMES, type Statement, type StatementLanguage } from '../../../src/shared/statements/statements'
import { spanName } from '../../../src/shared/statements/words'

/** The statements of the ledger that a source holds. What is looked at stands in the address, so that it can be sent. */
export function StatementsPanel({ source }: { source: string }) {
  const {
    statement,
    view,
    year,
    through,
    company,
    dimension,
    object,
    lastYear,
    budget,
    variance,
    language = 'en',
  } = useSearch({ strict: false })
  const choice: StatementChoice = {
    ...{ statement, view, year, through, company, dimension, object, lastYear, budget, variance },
  }
  const navigate = useNavigate()
  const may = useMay('view:data')
  const query = useQuery({ ...statementQuery(source, choice), enabled: may })
  const choose = (change: Partial<StatementChoice> & { language?: StatementLanguage }): void =>
    void navigate({
      to: '/data-sources/$id',
      params: { id: source },
      search: (before) => ({ ...before, ...change }),
      replace: true,
    })
  if (!may) return <MutedText>Your role can’t view rows, so it can’t view statements.</MutedText>
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <TableSkeleton count={14} />
  return (
    <>
      <RefetchError query={query} />
      <LoadedStatement
        {...{ statement: query.data, choice, language }}
        isPending={query.isPlaceholderData}
        onChoose={choose}
      />
    </>
  )
}

/** More columns than this fit no sheet that stands upright. */
const UPRIGHT_COLUMNS_MAX = 7

interface LoadedStatementProps {
  statement: Statement
  choice: StatementChoice
  language: StatementLanguage
  /** Another is on its way: this one is of what was chosen before. */
  isPending: boolean
  onChoose: Parameters<typeof StatementControls>[0]['onChoose']
}

function LoadedStatement({ statement, choice, language, isPending, onChoose }: LoadedStatementProps) {
  const [figure, setFigure] = useState<ChosenFigure | null>(null)
  const name = STATEMENT_NAMES[statement.kind][language]
  usePrintLight()
  return (
    <div className={statement.columns.length > UPRIGHT_COLUMNS_MAX ? classes.wide : undefined}>
      <PrintHead {...{ statement, language }} />
      <StatementControls {...{ statement, choice, language, onChoose }} />
      <Stack gap="sm" className={`${classes.paper} ${isPending ? classes.pending : ''}`} aria-busy={isPending}>
        <StatementNotices {...{ statement, language }} />
        <StatementTable key={statement.kind} {...{ statement, language, name }} onChoose={setFigure} />
        <StatementFoot {...{ statement, language }} />
      </Stack>
      <FigureDrawer {...{ statement, language, choice, figure }} onClose={() => setFigure(null)} />
    </div>
  )
}

/** Whose statement it is, of which year and when it was made: on paper only, where nothing else says so. */
function PrintHead({ statement, language }: { statement: Statement; language: StatementLanguage }) {
  const { company, source, kind, year, madeAt, through } = statement
  const format = useFormat()
  const { user } = useSession()
  return (
    <div className={classes.printHead} aria-hidden>
      <h2>
        {company.name ?? source.name}: {STATEMENT_NAMES[kind][language]}
      </h2>
      <p>
        {company.id} · {language === 'sv' ? 'Räkenskapsår' : 'Fiscal year'} {year.start} – {year.end} ·{' '}
        {spanName({ from: through, to: through }, language)} · {company.currency} · {format.dateTime(madeAt)}
        {user && ` · ${user.name}`}
      </p>
    </div>
  )
}

/** Part of the statement, in its language; what can be pressed is in that of the page. */
function StatementFoot({ statement, language }: { statement: Statement; language: StatementLanguage }) {
  const { company, dataAsOf, entries } = statement
  const format = useFormat()
  const { amounts, updated } = FOOT_WORDS[language]
  return (
    <MutedText>
      <span lang={language}>
        {company.currency !== null && `${amounts} ${company.currency}. `}
        {dataAsOf !== null && `${updated} ${format.dateTime(dataAsOf)}. `}
      </span>
      <span className="no-print">
        {entries ? 'Choose a figure for its accounts and vouchers.' : 'Choose a figure for its accounts.'}
      </span>
    </MutedText>
  )
}

const FOOT_WORDS: Record<StatementLanguage, { amounts: string; updated: string }> = {
  en: { amounts: 'Amounts in', updated: 'Updated' },
  sv: { amounts: 'Belopp i', updated: 'Uppdaterad' },
}
