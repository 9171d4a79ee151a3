// The pages of docs/findings, which the build puts into the program, so that it can tell of each code wherever it stands. A
// test holds the list against the folder.

enum FindingPages {
    static let all: [[UInt8]] = [
        PackageResources.badge_never_counts_md, PackageResources.case_rule_unknown_md, PackageResources.case_shape_md,
        PackageResources.cases_missing_md, PackageResources.conflicting_writers_md, PackageResources.decision_dropped_md,
        PackageResources.dot_for_colon_md, PackageResources.endless_loop_md, PackageResources.global_write_md,
        PackageResources.impossible_comparison_md, PackageResources.key_twice_md, PackageResources.limit_without_effect_md,
        PackageResources.link_refused_md,
        PackageResources.long_loop_md, PackageResources.lua_other_md, PackageResources.lua_shadowing_md,
        PackageResources.lua_unreachable_md, PackageResources.lua_unused_md, PackageResources.misplaced_file_md,
        PackageResources.module_unused_md, PackageResources.near_limit_md, PackageResources.never_acts_md, PackageResources.never_due_md,
        PackageResources.never_matches_md, PackageResources.never_there_md, PackageResources.not_looked_into_md,
        PackageResources.pin_without_defer_md, PackageResources.plural_form_missing_md, PackageResources.quiet_always_md,
        PackageResources.quiet_empty_md, PackageResources.read_only_md, PackageResources.rule_expired_md,
        PackageResources.rule_fails_md, PackageResources.rule_without_case_md, PackageResources.shadowed_rule_md,
        PackageResources.state_never_read_md,
        PackageResources.state_never_written_md, PackageResources.string_missing_md, PackageResources.string_placeholder_md,
        PackageResources.string_unknown_md, PackageResources.string_unused_md, PackageResources.unknown_channel_md,
        PackageResources.unknown_field_md, PackageResources.unknown_function_md, PackageResources.unknown_language_md,
        PackageResources.unknown_tab_md, PackageResources.unknown_topic_md, PackageResources.wrong_argument_md,
    ]
}
