use super::{Case, described, skill, with};

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            code: "description-short",
            speaks: [described("Weather"), described("Weather for cities"), described("天气查询")],
            silent: [
                described("Tells the weather when asked"),
                described("查询天气并给出穿衣建议"),
                described("Formats SQL, when asked, in place"),
            ],
        },
        Case {
            code: "description-vague",
            speaks: [
                described("Helps with various weather stuff when asked"),
                described("A useful skill for the weather when asked"),
                described("一个有用的天气技能，需要时使用"),
            ],
            silent: [
                described("Tells the weather of a city when somebody asks what to wear"),
                described(
                    "Helps with the weather of a city: reads the forecast of three days and says what to wear when it rains",
                ),
                described("Lists files by size when a disk is full"),
            ],
        },
        Case {
            code: "description-what",
            speaks: [
                described("Use when somebody asks what to wear tomorrow"),
                described("When the user wants to know the weather. Also use when the user mentions rain."),
                described("当用户询问天气或者穿什么衣服的时候使用"),
            ],
            silent: [
                described("Tells the weather. Use when somebody asks what to wear."),
                described("Use this skill to turn a forecast into advice when somebody travels"),
                described("When it rains, this skill says what to wear, from the forecast of the day"),
            ],
        },
        Case {
            code: "description-when",
            speaks: [
                described("Weather of a city for the next three days"),
                described("Manage releases and roadmap planning in one place"),
                described("天气与穿衣建议，支持全国各城市"),
            ],
            silent: [
                described("Weather of a city. Use when somebody asks what to wear"),
                with("when_to_use: somebody asks"),
                described("天气与穿衣建议。用户问出门穿什么时使用"),
            ],
        },
        Case {
            code: "when-not-missing",
            speaks: [
                described("Tells the weather when somebody asks what to wear"),
                described("查询天气。用户问出门穿什么时使用"),
                skill("name: weather\ndescription: Tells the weather when asked", "## When to use\n\nx"),
            ],
            silent: [
                described("Tells the weather when somebody asks, not for climate"),
                skill("name: weather\ndescription: Tells the weather when asked", "## 不适用\n\nx"),
                described("Tells the weather when somebody asks; for climate use climate-tables"),
            ],
        },
        Case {
            code: "description-person",
            speaks: [
                described("I can tell the weather of a city when asked"),
                described("Weather of a city. We will look it up when somebody asks"),
                described("我可以查询天气，用户询问天气时使用"),
            ],
            silent: [
                described("Use when the user says \"I can tell that it rains\" or asks for the weather"),
                described("Weather of canals of type I, when asked; `I can` is no phrase of it"),
                described("Tells the weather. 用户说“我可以出门吗”时使用"),
            ],
        },
        Case {
            code: "description-languages",
            speaks: [
                described("查询一个城市的天气并给出穿衣建议。Tells the weather of a city and what to wear."),
                described("Tells the weather of a city when asked. 用户询问天气或者出门穿什么时使用。"),
                described("天気予報を調べて服装を提案します。Looks up the forecast and says what to wear."),
            ],
            silent: [
                described("用 gh 和 GitHub Actions 查看 pull request 的检查结果。用户询问 CI 状态时使用"),
                described(
                    "Tells the weather. Use when somebody asks \"今天天气怎么样，穿什么衣服好\" or the like",
                ),
                described(
                    "Tells the weather of a city when asked. 触发词：天气、穿衣、下雨、今天穿什么、明天穿什么",
                ),
            ],
        },
    ]
}

fn says(description: &str, code: &str) -> bool {
    described(description).found().iter().any(|found| found.code == code)
}

#[test]
fn words_inside_of_words_say_nothing() {
    for (description, code) in [
        ("Manages tasks and the boards that they stand on", "description-when"),
        ("Formats tables in place because it keeps their columns", "description-when"),
        ("时间管理与日程规划，支持全国各城市", "description-when"),
        ("当前城市的实时天气与穿衣建议", "description-when"),
        ("Turns CSV → JSON when a table is to be read by a program", "when-not-missing"),
        ("Formats tables when asked and skips blank lines of theirs", "when-not-missing"),
        ("Formats tables when asked, with spaces instead of tabs", "when-not-missing"),
    ] {
        assert!(says(description, code), "{description}");
    }
    for (description, code) in [
        ("Sorts miscellaneous receipts of a year when taxes are due", "description-vague"),
        ("Looks up the forecast. 用户询问天气时使用", "description-when"),
        ("查询天气。用户出门前需要穿衣建议时", "description-when"),
        ("Formats tables when asked. For prose use prose-lint instead", "when-not-missing"),
        ("Formats tables when asked; skip for prose", "when-not-missing"),
        ("Formats tables when asked. For prose → prose-lint", "when-not-missing"),
    ] {
        assert!(!says(description, code), "{description}");
    }
}

#[test]
fn of_a_language_whose_phrases_are_not_known_nothing_is_said() {
    for description in [
        "Zeigt das Wetter einer Stadt und sagt, was man anziehen soll",
        "Muestra el tiempo de una ciudad para los próximos días",
        "天気予報を調べて服装を提案します",
        "يعرض طقس المدينة لثلاثة أيام قادمة",
    ] {
        for code in ["description-when", "when-not-missing"] {
            assert!(!says(description, code), "{description}");
        }
    }
}
