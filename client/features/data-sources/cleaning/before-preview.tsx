import { SegmentedControl } from '@mantine/core'
import { useColumnPages } from '../column-pages'
import { ItemTable } from '../../../ui/data-table/item-table'
import classes from '../preview-grid.module.css'

export type PreviewSide = 'before' | 'after'

/** Chooses between the rows of the file and those that leave the recipe. */
export const PreviewSwitch = ({ side, onChange }: { side: PreviewSide; onChange: (side: PreviewSide) => void }) => (
  <SegmentedControl
    aria-label="Preview"
    size="xs"
    data={[
      { value: 'before', label: 'Before cleaning' },
      { value: 'after', label: 'After cleaning' },
    ]}
    value={side}
    onChange={(value) => onChange(value === 'before' ? 'before' : 'after')}
  />
)

/** The first rows as they are in the file. */
export function BeforePreview({ names, rows }: { names: readonly string[]; rows: readonly (readonly string[])[] }) {
  const { first, end, pager } = useColumnPages(names.length)
  return (
    <div className={classes.preview}>
      {pager}
      <ItemTable
        key={first}
        caption="File before cleaning"
        items={rows.map((cells, at) => ({ number: at + 1, cells }))}
        itemKey={({ number }) => String(number)}
        columns={[
          { label: 'Row', kind: 'number', value: ({ number }) => number },
          ...names.slice(first, end).map((label, at) => ({
            label,
            value: ({ cells }: { cells: readonly string[] }) => cells[first + at] ?? '',
          })),
        ]}
        canExport={false}
      />
    </div>
  )
}
