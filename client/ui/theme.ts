import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import { CHART_PALETTE } from '../../src/shared/charts/chart-palette'

const accent: MantineColorsTuple = [
  '#eaf5f8',
  '#d3e8ee',
  '#a5d0dc',
  '#74b7c9',
  '#4da2b9',
  '#3595af',
  '#2385a1',
  '#0f6f8b',
  '#0b5c75',
  '#064459',
]
const gray: MantineColorsTuple = [
  '#f7f9fa',
  '#f0f3f5',
  '#e5eaed',
  '#d7dee3',
  '#c3ccd3',
  '#a3afb8',
  '#7f8c96',
  '#566370',
  '#3a4550',
  '#1d262e',
]
const dark: MantineColorsTuple = [
  '#d9dfe4',
  '#b8c1c9',
  '#98a3ad',
  '#66727d',
  '#3c4650',
  '#303942',
  '#232b33',
  '#171d23',
  '#12171c',
  '#0c1014',
]

/** White words on a red button reach 4.5:1 in the dark theme too, whose shade is the eighth. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d92f2f',
  '#d92f2f',
  '#c92a2a',
]

/** Type sizes 12/13/14/16/20/28; `sm` (14 px) is the body. `md` breakpoint = 900 px, where the navigation folds. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: { accent, gray, dark, red },
  black: '#172029',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.35' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  breakpoints: { xs: '30em', sm: '40em', md: '56.25em', lg: '75em', xl: '90em' },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' }, styles: { label: { fontWeight: 550 } } },
    InputWrapper: { styles: { label: { marginBottom: 5, fontWeight: 550 }, description: { marginBottom: 6 } } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: {
      defaultProps: {
        ...{ size: 'sm', checkIconPosition: 'right', allowDeselect: false },
        // Enter chooses the first match of what was typed. Without it, it sends the form with the value from before.
        selectFirstOptionOnChange: true,
      },
    },
    // A list of five hundred countries is drawn when it is opened, not with its field.
    Combobox: { defaultProps: { keepMounted: false } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
        // The head of a dialog is no banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: {
        title: { fontSize: '1rem', fontWeight: 620 },
        header: { paddingInline: 20 },
        body: { paddingInline: 20 },
      },
    },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontSize: '1rem', fontWeight: 620 } },
    },
    // Three words fit beside each other in a small window.
    SegmentedControl: { styles: { label: { paddingInline: 'clamp(6.5px, 1.8vw, 10px)' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Paper: { defaultProps: { radius: 'lg' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, fz: 'xs' } },
    // The placeholder that Mantine focuses first is not allowed inside a menu; the first item takes the focus instead.
    Menu: { defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false } },
    Badge: { defaultProps: { radius: 'sm', variant: 'light' }, styles: { root: { textTransform: 'none' } } },
  },
})

const chartVariables = (colours: readonly string[]): Record<string, string> =>
  Object.fromEntries(colours.map((colour, index) => [`--chart-${index + 1}`, colour]))

/**
 * The page lies below, the rail of the navigation between, cards on top: each tells itself from the other two in both
 * themes. Semantic colours are for text and icons and reach 4.5:1 on the page, the surface and their own `-soft` ground.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#55626d',
    '--mantine-color-placeholder': '#66737e',
    '--mantine-color-default-border': '#d7dee3',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-accent-light-color': '#064459',
    '--mantine-color-gray-light-color': '#3a4550',
    '--mantine-color-green-light-color': '#14532d',
    '--mantine-color-yellow-light-color': '#6b3f00',
    '--mantine-color-red-light-color': '#8c1d18',
    // As an outline it also lies on the page itself, which is darker than a surface.
    '--mantine-color-red-outline': '#b3261e',
    '--mantine-color-accent-light': '#e4f1f5',
    '--mantine-color-gray-light': '#eef1f3',
    '--mantine-color-green-light': '#e6f4eb',
    '--mantine-color-yellow-light': '#fdf3e1',
    '--mantine-color-red-light': '#fdecea',
    '--page': '#edf1f4',
    '--rail': '#f9fafb',
    '--surface': '#ffffff',
    '--surface-sunken': '#f0f3f5',
    '--line': '#dbe2e6',
    '--line-strong': '#c3ccd3',
    '--text-muted': '#55626d',
    '--accent': '#0b5c75',
    '--accent-soft': '#e4f1f5',
    '--good': '#1a6e3c',
    '--good-soft': '#e6f4eb',
    '--warn': '#854d00',
    '--warn-soft': '#fdf3e1',
    '--bad': '#b3261e',
    '--bad-soft': '#fdecea',
    '--chart-other': '#98a3ad',
    '--chart-text': '#172029',
    '--chart-dimmed': '#55626d',
    '--chart-grid': '#e5eaed',
    '--chart-surface': '#ffffff',
    '--chart-border': '#d7dee3',
    ...chartVariables(CHART_PALETTE.light),
  },
  dark: {
    '--mantine-color-body': '#171d23',
    '--mantine-color-dimmed': '#98a3ad',
    '--mantine-color-placeholder': '#8b97a1',
    '--mantine-color-default-border': '#3c4650',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-accent-light-color': '#a5d0dc',
    '--mantine-color-anchor': '#74b7c9',
    '--mantine-color-accent-light': '#10313d',
    '--mantine-color-green-light': '#12301f',
    '--mantine-color-yellow-light': '#33260d',
    '--mantine-color-red-light': '#3a1917',
    '--mantine-color-green-light-color': '#8fdcae',
    '--mantine-color-yellow-light-color': '#f0c47e',
    '--mantine-color-red-light-color': '#ffb0a8',
    '--page': '#0f1418',
    '--rail': '#151b21',
    '--surface': '#1b222a',
    '--surface-sunken': '#141a20',
    '--line': '#303a44',
    '--line-strong': '#3c4650',
    '--text-muted': '#98a3ad',
    '--accent': '#74b7c9',
    '--accent-soft': '#10313d',
    '--good': '#6fcb94',
    '--good-soft': '#12301f',
    '--warn': '#e8b15a',
    '--warn-soft': '#33260d',
    '--bad': '#ff9289',
    '--bad-soft': '#3a1917',
    '--chart-other': '#7c8791',
    '--chart-text': '#d9dfe4',
    '--chart-dimmed': '#98a3ad',
    '--chart-grid': '#2b343d',
    '--chart-surface': '#1b222a',
    '--chart-border': '#3c4650',
    ...chartVariables(CHART_PALETTE.dark),
  },
})
