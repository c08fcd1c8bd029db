import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { FormulaPreview, PreviewSkeleton } from './formula-preview'
import classes from './metrics.module.css'
import type { MetricFormContext, MetricFormValues } from './metric-values'
import { formulaQuery, metricsQuery } from './queries'
import type { FormulaError } from '../../../src/shared/formula/tokens'
import type { Metric } from '../../../src/shared/metrics'

const FORMULA_DEBOUNCE_MS = 400
const NAMES_SHOWN = 12
const quoteName = (name: string): string => `[${name.replaceAll(']', ']]')}]`

interface FormulaFieldProps {
  form: UseFormReturnType<MetricFormValues>
  metric: Metric | null
  around: MetricFormContext
}

/** The formula, what is wrong with it, names to put in, and the figures that follow from it. */
export function FormulaField({ form, metric, around }: FormulaFieldProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const { dataset: id, formula } = form.values
  const [settled] = useDebouncedValue(
    { dataset: id, formula, ...(metric ? { id: metric.id } : {}) },
    FORMULA_DEBOUNCE_MS,
  )
  const read = useQuery({ ...formulaQuery(settled), placeholderData: keepPreviousData })
  const others = useQuery(metricsQuery())
  const { dataset } = around
  const insertText = (text: string): void => {
    const at = input.current?.selectionStart ?? formula.length
    const to = input.current?.selectionEnd ?? at
    form.setFieldValue('formula', `${formula.slice(0, at)}${text}${formula.slice(to)}`)
    input.current?.focus()
  }
  const isCurrent = settled.formula === formula && settled.dataset === id
  return (
    <Stack gap="sm">
      <Textarea
        {...form.getInputProps('formula')}
        ref={input}
        label="Formula"
        description="sum, avg, count, countdistinct, min, max, median, first, last, prev, cumulative, and + − * / with names in brackets."
        placeholder="sum([Amount]) / [Orders]"
        classNames={{ input: classes.code }}
        rows={3}
        maxLength={2000}
        spellCheck={false}
        required
      />
      <Group gap={6}>
        {(dataset?.columns ?? [])
          .filter(({ hidden }) => !hidden)
          .slice(0, NAMES_SHOWN)
          .map(({ key, label }) => (
            <InsertNameButton key={key} onInsert={() => insertText(quoteName(label))}>
              {label}
            </InsertNameButton>
          ))}
        {(others.data ?? [])
          .filter((one) => one.id !== metric?.id)
          .slice(0, NAMES_SHOWN)
          .map(({ id: key, name }) => (
            <InsertNameButton key={key} onInsert={() => insertText(quoteName(name))} isMetric>
              {name}
            </InsertNameButton>
          ))}
      </Group>
      {isCurrent && read.data && !read.data.ok && <FormulaErrors errors={read.data.errors} formula={formula} />}
      {metric && read.isLoading && <PreviewSkeleton />}
      {read.data?.ok && formula.trim() !== '' && (
        <FormulaPreview measure={read.data.measure} values={form.values} around={around} />
      )}
    </Stack>
  )
}

interface InsertNameButtonProps {
  children: string
  isMetric?: boolean
  onInsert: () => void
}
const InsertNameButton = ({ children, isMetric = false, onInsert }: InsertNameButtonProps) => (
  <Button size="compact-xs" variant={isMetric ? 'light' : 'default'} onClick={onInsert} title="Put into the formula">
    {children}
  </Button>
)

function FormulaErrors({ errors, formula }: { errors: readonly FormulaError[]; formula: string }) {
  return (
    <Alert color="yellow" role="status" aria-label="What is wrong with the formula">
      <Stack gap={4}>
        {errors.map(({ message, from, to }) => (
          <Text size="sm" key={`${from} ${message}`}>
            {message} {to > from && <code>{formula.slice(from, to)}</code>}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
