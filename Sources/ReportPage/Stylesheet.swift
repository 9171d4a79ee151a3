// How every report looks. One stylesheet inside the page: system fonts, two sets of colours, nothing that moves. Contrast
// of texts is above 4.5 to 1 in both sets.

enum Stylesheet {
    static let text: StaticString = """
        :root {
          color-scheme: light dark;
          --paper: #fbfaf8; --sheet: #ffffff; --ink: #1c2127; --quiet: #5b6470; --line: #dfe2e6; --grid: #e9ebee;
          --plain: #3b6fb6; --good: #2f7d4f; --caution: #a96408; --later: #6f56b3; --bad: #b3362e; --faint: #c3c9d1;
          --span: #eceaf5; --link: #2459a6;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171b; --sheet: #1b1f25; --ink: #e7e9ec; --quiet: #a2abb7; --line: #333a43; --grid: #2a3038;
            --plain: #79aae8; --good: #6cc08d; --caution: #e0a552; --later: #b19cf0; --bad: #f08a80; --faint: #4a535f;
            --span: #262338; --link: #8fbcf5;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
        main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
        header { margin-bottom: 1.5rem; }
        h1 { font-size: 1.75rem; line-height: 1.2; margin: .2rem 0 .6rem; letter-spacing: -.01em; }
        h2 { font-size: 1.2rem; margin: 0 0 .75rem; }
        h3 { font-size: 1rem; margin: 0 0 .35rem; }
        p { margin: 0 0 .75rem; max-width: 46rem; }
        a { color: var(--link); }
        .kind { text-transform: none; color: var(--quiet); font-size: .9rem; margin: 0; }
        .lead { font-size: 1.1rem; }
        .quiet, small { color: var(--quiet); font-size: .875rem; }
        section { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem; margin: 0 0 1rem; }
        article { border-top: 1px solid var(--line); padding: 1rem 0 .4rem; }
        article:first-of-type { border-top: 0; padding-top: 0; }
        ul.cards { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; padding: 0; margin: 0 0 1rem; }
        ul.cards li { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem; }
        ul.cards strong { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
        ul.cards span { color: var(--quiet); font-size: .875rem; }
        ul.words { padding-left: 1.1rem; margin: 0 0 .9rem; }
        ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; margin: .2rem 0 .4rem; font-size: .875rem; color: var(--quiet); }
        table { border-collapse: collapse; width: 100%; font-size: .95rem; }
        caption { text-align: left; color: var(--quiet); font-size: .875rem; padding-bottom: .3rem; }
        th { text-align: left; font-weight: 500; }
        thead th { color: var(--quiet); font-size: .8125rem; font-weight: 400; }
        td, th { padding: .28rem 0; vertical-align: middle; }
        .number { text-align: right; white-space: nowrap; padding-left: .9rem; font-variant-numeric: tabular-nums; }
        table.bars .name { width: 38%; padding-right: .9rem; }
        table.bars .bar svg { display: block; }
        table.plain { width: auto; min-width: 14rem; margin-top: .4rem; }
        table.facts th { width: 9rem; color: var(--quiet); font-weight: 400; vertical-align: top; }
        table.facts td { vertical-align: top; }
        table.rows td, table.rows th { vertical-align: top; padding: .45rem .9rem .45rem 0; }
        table.rows tbody tr { border-top: 1px solid var(--line); }
        table.rows th { white-space: nowrap; }
        table.rows p { margin: 0 0 .15rem; }
        figure { margin: 0 0 .6rem; }
        figcaption { color: var(--quiet); font-size: .875rem; }
        svg { overflow: visible; }
        svg.chart { display: block; margin-top: .3rem; }
        svg .tick { fill: var(--quiet); font-size: 11px; }
        svg .grid { stroke: var(--grid); }
        svg .base { stroke: var(--line); }
        svg .span { fill: var(--span); }
        .fill-plain { fill: var(--plain); } .fill-good { fill: var(--good); } .fill-caution { fill: var(--caution); }
        .fill-later { fill: var(--later); } .fill-bad { fill: var(--bad); } .fill-faint { fill: var(--faint); }
        .ink-good { color: var(--good); } .ink-caution { color: var(--caution); } .ink-later { color: var(--later); }
        .ink-bad { color: var(--bad); } .ink-faint { color: var(--quiet); }
        .stroke-caution { stroke: var(--caution); stroke-width: 2; } .stroke-faint { stroke: var(--faint); stroke-width: 2; }
        table.timeline th { width: 28%; padding-right: .9rem; }
        table.timeline th small { display: block; font-weight: 400; }
        table.timeline svg { display: block; }
        .sides { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin: .6rem 0; }
        .side { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; min-width: 0; }
        .side h4 { margin: 0 0 .2rem; font-size: .8125rem; font-weight: 500; color: var(--quiet); }
        .side p { margin: 0 0 .3rem; }
        .tag { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 .55rem; font-size: .8125rem; margin-right: .3rem; }
        blockquote { margin: .4rem 0; padding-left: .8rem; border-left: 3px solid var(--line); unicode-bidi: isolate; }
        details { margin: .3rem 0; }
        summary { cursor: pointer; color: var(--link); font-size: .875rem; }
        ol.trace { list-style: none; padding: 0; margin: .4rem 0; font-size: .875rem; }
        ol.trace li { padding: .15rem 0 .15rem 1.2rem; position: relative; }
        ol.trace li::before { position: absolute; left: 0; content: "·"; color: var(--quiet); }
        ol.trace li.matched::before { content: "✓"; color: var(--good); }
        ol.trace li.failed::before { content: "✗"; color: var(--bad); }
        pre { overflow-x: auto; font: .8125rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; margin: .4rem 0; }
        table.source { font-size: .8125rem; margin: .4rem 0 .8rem; }
        table.source td, table.source th { padding: 0; vertical-align: top; }
        table.source tbody th { width: 2.6rem; color: var(--quiet); font-weight: 400; text-align: right; padding-right: .7rem; user-select: none; font-variant-numeric: tabular-nums; }
        table.source td:nth-child(2) { width: 4.2rem; text-align: right; padding-right: .8rem; white-space: nowrap; user-select: none; font-variant-numeric: tabular-nums; }
        table.source code { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; display: block; padding-left: .5rem; border-left: 3px solid transparent; tab-size: 4; }
        table.source .line-good code { border-color: var(--good); }
        table.source .line-bad code { border-color: var(--bad); background: var(--grid); }
        @media (max-width: 40rem) {
          main { padding: 1.25rem .8rem 3rem; }
          h1 { font-size: 1.4rem; }
          section { padding: .9rem; }
          .sides { grid-template-columns: 1fr; }
          table.bars .name { width: 46%; }
          table.timeline th { width: 36%; }
          table.facts th { width: 6.5rem; }
          table.rows thead { display: none; }
          table.rows tr { display: block; padding: .5rem 0; }
          table.rows td { display: grid; grid-template-columns: 7rem 1fr; padding: .12rem 0; }
          table.rows td::before { content: attr(data-head); color: var(--quiet); font-size: .875rem; }
        }
        @media print {
          body { background: #fff; }
          section, ul.cards li { break-inside: avoid; }
        }
        """
}
